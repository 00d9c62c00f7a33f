import { computed } from '@preact/signals';
import { type Language, language } from '../preferences/preferences.ts';
import { en, type Messages } from './en.ts';
import { pl } from './pl.ts';

const BY_LANGUAGE: Readonly<Record<Language, Messages>> = { en, pl };

/** The texts of the chosen language; a component that reads it is drawn again when the language changes. */
export const messages = computed(() => BY_LANGUAGE[language.value]);

export const formatTime = (ms: number): string =>
  new Intl.DateTimeFormat(language.value, { timeStyle: 'medium' }).format(ms);

export const formatDateTime = (time: string | number): string =>
  new Intl.DateTimeFormat(language.value, { dateStyle: 'short', timeStyle: 'medium' }).format(new Date(time));

/** @param digits after the decimal point, as many at most */
export const formatNumber = (value: number, digits = 3): string =>
  new Intl.NumberFormat(language.value, { maximumFractionDigits: digits }).format(value);

/** `1:07` or `1:02:07`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
