import { useEffect, useMemo, useState } from "preact/hooks";
import { languages, Voice, VoiceContext, type Language } from "../texts";
import { ask, type Info } from "./api";
import { ErrorLine } from "./ErrorLine";
import { Page } from "./Page";
import { useResource } from "./useResource";

const remembered = "awale-language";

function firstLanguage(): Language {
  const wishes = [localStorage.getItem(remembered), ...navigator.languages];
  for (const wish of wishes) {
    const language = languages.find((language) => wish?.split("-")[0] === language);
    if (language) return language;
  }
  return "en";
}

export function App() {
  const [language, setLanguage] = useState(firstLanguage);
  const voice = useMemo(() => new Voice(language), [language]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = voice.texts.play.title;
  }, [language]);
  const info = useResource<Info>("/api/info", async (signal, put) =>
    put(await ask("/api/info", null, signal)),
  );
  return (
    <VoiceContext.Provider value={voice}>
      {info.error && <ErrorLine error={info.error} onRetry={info.retry} />}
      {info.value && (
        <Page
          info={info.value}
          onLanguage={(next) => {
            localStorage.setItem(remembered, next);
            setLanguage(next);
          }}
        />
      )}
    </VoiceContext.Provider>
  );
}
