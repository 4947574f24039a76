import { languages, useVoice, type Language } from "../texts";
import { Icon } from "./Icon";

export type Open = "new" | "load" | "save" | "help";

interface Props {
  onOpen: (dialog: Open) => void;
  onLanguage: (language: Language) => void;
}

const names: Record<Language, string> = {
  en: "English",
  ca: "Català",
  fi: "Suomi",
  fr: "Français",
};

export function Header({ onOpen, onLanguage }: Props) {
  const { language, texts } = useVoice();
  const { play } = texts;
  const buttons = [
    { name: "new", icon: "plus", text: play.new_game },
    { name: "load", icon: "open", text: play.load },
    { name: "save", icon: "save", text: play.save },
    { name: "help", icon: "help", text: play.help },
  ] as const;
  return (
    <header class="top-bar">
      <h1>{play.title}</h1>
      <nav aria-label={play.menu}>
        {buttons.map(({ name, icon, text }) => (
          <button key={name} type="button" aria-label={text} onClick={() => onOpen(name)}>
            <Icon name={icon} />
            <span>{text}</span>
          </button>
        ))}
        <select
          aria-label={play.language}
          value={language}
          onChange={({ currentTarget }) => onLanguage(currentTarget.value as Language)}
        >
          {languages.map((language) => (
            <option key={language} value={language} lang={language}>
              {names[language]}
            </option>
          ))}
        </select>
      </nav>
    </header>
  );
}
