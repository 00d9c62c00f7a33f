import { effect, signal } from '@preact/signals';

export const LANGUAGES = ['en', 'pl'] as const;
export type Language = (typeof LANGUAGES)[number];
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Of this browser; the rig does not know them. A browser that keeps nothing has them for as long as the page is open. */
export const language = signal<Language>(kept('language', LANGUAGES) ?? ofBrowser());
export const theme = signal<Theme>(kept('theme', THEMES) ?? 'auto');

effect(() => {
  document.documentElement.lang = language.value;
  keep('language', language.value);
});
effect(() => {
  document.documentElement.dataset.theme = theme.value;
  keep('theme', theme.value);
});

function ofBrowser(): Language {
  return navigator.language.toLowerCase().startsWith('pl') ? 'pl' : 'en';
}

function kept<T extends string>(name: string, allowed: readonly T[]): T | undefined {
  try {
    const value = localStorage.getItem(`svc-rig.${name}`);
    return allowed.find((one) => one === value);
  } catch {
    return undefined;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`svc-rig.${name}`, value);
  } catch {
    // Storage is switched off or full.
  }
}
