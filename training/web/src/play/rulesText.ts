import type { Voice } from "../texts";

type Parameters = Record<string, string>;

export const presetName = (voice: Voice, name: string): string => {
  const names: Record<string, { name: string }> = voice.texts.presets;
  return names[name]?.name ?? name;
};

export const presetText = (voice: Voice, name: string): string => {
  const names: Record<string, { text: string }> = voice.texts.presets;
  return names[name]?.text ?? "";
};

// What each parameter means, a line each; those without effect are left out.
export function describeRules(voice: Voice, rules: Parameters): { key: string; text: string }[] {
  const texts = voice.texts.rules;
  const choice = (forms: Record<string, string>, key: string) => forms[rules[key] ?? ""];
  const number = (key: string) => Number(rules[key]);
  const score = (lead: string, key: string) => {
    const how = choice(texts.score, key);
    return how && `${lead} ${how}`;
  };
  const lines: Record<string, string | false | undefined> = {
    grand_slam: choice(texts.grand_slam, "grand_slam"),
    capture_counts: choice(texts.capture_counts, "capture_counts"),
    must_feed: choice(texts.must_feed, "must_feed"),
    cannot_feed: rules.must_feed === "true" && choice(texts.cannot_feed, "cannot_feed"),
    target_seeds:
      number("target_seeds") === 0
        ? texts.no_target
        : voice.count(texts.target, number("target_seeds")),
    sweep_at_target:
      number("target_seeds") > 0 &&
      `${texts.at_target} ${
        rules.sweep_at_target === "true" ? texts.score.own_row : texts.score.captured
      }`,
    repetition_occurrence:
      number("repetition_occurrence") === 0
        ? texts.no_repetition
        : voice.fill(texts.repetition, { n: number("repetition_occurrence") }),
    repetition_score:
      number("repetition_occurrence") > 0 && score(texts.at_repetition, "repetition_score"),
    ply_limit:
      number("ply_limit") === 0
        ? texts.no_limit
        : voice.fill(texts.limit, { n: number("ply_limit") }),
    limit_score: number("ply_limit") > 0 && score(texts.at_limit, "limit_score"),
  };
  return Object.entries(rules).flatMap(([key, value]) => {
    const text = key in lines ? lines[key] : `${key} = ${value}`;
    return text ? [{ key, text }] : [];
  });
}
