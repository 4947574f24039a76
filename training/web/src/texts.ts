// Every sentence that a page says, in every language: texts.json. A key that a language lacks fails
// the type check below.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import all from "./texts.json";

export type Language = keyof typeof all;
export type Texts = (typeof all)["en"];

const texts: Record<Language, Texts> = all;

export const languages = Object.keys(texts) as Language[];

type Values = Record<string, string | number>;

// One language: its texts, and how it puts numbers into them.
export class Voice {
  readonly texts: Texts;
  readonly #plurals: Intl.PluralRules;

  constructor(readonly language: Language) {
    this.texts = texts[language];
    this.#plurals = new Intl.PluralRules(language);
  }

  // "{pit} is empty" with the values put in.
  fill(text: string, values: Values): string {
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === "number" ? this.number(value) : String(value);
    });
  }

  // The form that goes with `n`, which is {n} in the text.
  count(forms: { one: string; other: string }, n: number, values: Values = {}): string {
    const form = this.#plurals.select(n) === "one" ? forms.one : forms.other;
    return this.fill(form, { n, ...values });
  }

  number(value: number, options: Intl.NumberFormatOptions = { maximumFractionDigits: 1 }): string {
    return new Intl.NumberFormat(this.language, options).format(value).replace("-", "−");
  }

  percent(share: number): string {
    return this.number(share, { style: "percent", maximumFractionDigits: 0 });
  }

  // With a sign, whatever it is: "+2.0".
  signed(value: number, digits = 1): string {
    return this.number(value, {
      signDisplay: "exceptZero",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  }
}

export const VoiceContext = createContext(new Voice("en"));

export const useVoice = () => useContext(VoiceContext);
