import { useVoice } from "../texts";
import { describeRules } from "./rulesText";

export function RulesText({ rules }: { rules: Record<string, string> }) {
  const voice = useVoice();
  return (
    <ul class="rules-text">
      {describeRules(voice, rules).map(({ key, text }) => (
        <li key={key}>{text}</li>
      ))}
    </ul>
  );
}
