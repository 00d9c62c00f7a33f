/** Texts by key; `{name}` stands for a value, `key.one`, `key.few`, `key.many`, `key.other` are the forms of a plural. */
export type Catalogue = Readonly<Record<string, string>>;

/** How the texts of an answer come about (section 3, "diagnose"). */
export type TranslateMode = 'auto' | 'catalog' | 'offline';

export const DEFAULT_LOCALE = 'pl';
const FALLBACK = 'en';

/** `en-GB` and `en_GB` are `en`. */
export function languageOf(locale: string): string {
  return (locale.split(/[-_]/)[0] ?? '').toLowerCase();
}

export interface Speaker {
  locale: string;
  say(key: string, values?: Readonly<Record<string, string | number>>): string;
}

/**
 * Who says the texts of an answer.
 *
 * @param builtIn catalogues of the program, by language
 * @param offline catalogues that the operator has put beside them: the local translator
 */
export function speakerOf(
  locale: string,
  mode: TranslateMode,
  builtIn: ReadonlyMap<string, Catalogue>,
  offline: ReadonlyMap<string, Catalogue>,
): Speaker {
  const language = languageOf(locale);
  const order = { catalog: [builtIn], offline: [offline, builtIn], auto: [builtIn, offline] }[mode];
  const found = order
    .map((catalogues) => catalogues.get(language))
    .find((catalogue) => catalogue !== undefined);
  const fallback = builtIn.get(FALLBACK) ?? {};
  const spoken = found ? language : FALLBACK;
  const plural = new Intl.PluralRules(spoken);
  const catalogue = found ?? fallback;
  return {
    locale: spoken,
    say: (key, values = {}) => {
      const form = typeof values.count === 'number' ? plural.select(values.count) : 'other';
      const names = [`${key}.${form}`, `${key}.other`, key];
      // A translator's catalogue may lack a text: better one in English than none.
      const text =
        names.map((name) => catalogue[name]).find(Boolean) ??
        names.map((name) => fallback[name]).find(Boolean);
      if (text === undefined) throw new TypeError(`no text for ${key}`);
      return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
    },
  };
}
