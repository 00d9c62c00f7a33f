import { messages } from '../messages/index.ts';
import { LANGUAGES, type Language, language, THEMES, type Theme, theme } from '../preferences/preferences.ts';

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', pl: 'polski' };

/** Language and appearance, kept in this browser. */
export function Preferences() {
  const text = messages.value.preferences;
  return (
    <div class="preferences">
      <select
        aria-label={text.language}
        onChange={(event) => {
          language.value = event.currentTarget.value as Language;
        }}
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one} selected={one === language.value}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
      <select
        aria-label={text.theme}
        onChange={(event) => {
          theme.value = event.currentTarget.value as Theme;
        }}
      >
        {THEMES.map((one) => (
          <option key={one} value={one} selected={one === theme.value}>
            {text[one]}
          </option>
        ))}
      </select>
    </div>
  );
}
