import { languageOf } from '../describe/locale.ts';
import type { Job } from '../operations/job.ts';
import { readsText } from './demand.ts';

/** Jobs of one language in a row while one of another language waits. */
export const MOST_IN_A_ROW = 8;

/** Language of the recognizers that a job needs; undefined when it reads no text. */
export function languageRead(job: Job): string | undefined {
  return job.kind !== 'store' && readsText(job) ? languageOf(job.request.locale) : undefined;
}

/** What the reader has read last. */
export interface Reading {
  language: string | undefined;
  /** Jobs of this language, one after the other. */
  inARow: number;
}

/**
 * Waiting jobs with those of the reader's language before those of another one, since the recognizers of each language have
 * to be started anew; for some time only, so that everybody has a turn.
 */
export function inReadingOrder<T extends { job: Job }>(
  waiting: readonly T[],
  { language, inARow }: Reading,
): readonly T[] {
  if (language === undefined || inARow >= MOST_IN_A_ROW) return waiting;
  const isOther = ({ job }: T) => ![undefined, language].includes(languageRead(job));
  const firstOther = waiting.findIndex(isOther);
  if (firstOther < 0) return waiting;
  const behind = waiting.slice(firstOther);
  const isAhead = ({ job }: T) => languageRead(job) === language;
  return [
    ...waiting.slice(0, firstOther),
    ...behind.filter(isAhead),
    ...behind.filter((one) => !isAhead(one)),
  ];
}
