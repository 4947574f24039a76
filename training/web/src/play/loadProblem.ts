import type { Voice } from "../texts";
import type { Rules } from "./api";
import { presetName } from "./rulesText";

export type Format = "ogn" | "moves";
type Part = "rules" | "move" | "text";

// Which part of a game the server's line is about: "..., game 1 (line 1): tag Variant: ...".
function partOf(line: string): Part {
  if (/(^|: )(tag (Variant|Rules):|rules[.:])/.test(line)) return "rules";
  return /(^|: )ply \d+(:| at)/.test(line) ? "move" : "text";
}

// What the reader may change, so that the text can be loaded. `rules` are those of moves alone,
// `names` those that a tag may name.
export function describeProblem(
  voice: Voice,
  line: string,
  format: Format,
  rules: Rules,
  names: string[],
): string {
  const text = voice.texts.load_problems[format][partOf(line)];
  const name = presetName(voice, typeof rules === "string" ? rules : "custom");
  return voice.fill(text, { rules: name, names: names.join(", ") });
}
