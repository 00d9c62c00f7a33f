import type { Pixels } from '../../window/image/pixels.ts';
import type { ReadTexts } from '../../window/ocr/text-reader.ts';
import type { Kind } from './samples.ts';
import type { Sample } from './sheet.ts';

/** How often texts of one kind were read right, wrong or not at all. */
export interface Judged {
  count: number;
  exact: number;
  wrong: number;
  nothing: number;
  /** Wrong ones that have the same digits, but not the same decimal marks. */
  lostMarks: number;
}

export interface Miss {
  sample: Sample;
  read: string | null;
  pixels: Pixels;
}

/** A minus has two code points, and so have the signs of micro and ohm. */
const plain = (text: string): string =>
  text
    .replaceAll('−', '-')
    .replaceAll('μ', 'µ')
    .replaceAll('\u2126', 'Ω')
    .replaceAll('…', '...')
    .replace(/\s+/g, ' ')
    .trim();

const markless = (text: string): string => text.replace(/[.,]/g, '');

/** Counts what was read of a sheet. @returns what is not exact */
export function judge(
  all: Map<Kind, Judged>,
  pixels: Pixels,
  samples: readonly Sample[],
  texts: ReadTexts['texts'],
): Miss[] {
  return samples.flatMap((sample, i): Miss[] => {
    const judged = all.get(sample.kind) ?? { count: 0, exact: 0, wrong: 0, nothing: 0, lostMarks: 0 };
    all.set(sample.kind, judged);
    const read = texts[i] ?? null;
    const [shown, got] = [
      sample.kind === 'none' ? null : plain(sample.text),
      read === null ? null : plain(read),
    ];
    judged.count++;
    if (got === shown) {
      judged.exact++;
      return [];
    }
    if (got === null) judged.nothing++;
    else {
      judged.wrong++;
      if (shown !== null && markless(got) === markless(shown)) judged.lostMarks++;
    }
    return [{ sample, read, pixels }];
  });
}

const NAMES: Readonly<Record<Kind, string>> = {
  text: 'page texts',
  number: 'numbers with units',
  segments: 'seven segments',
  none: 'other alphabets',
};
const AIM = 0.95;
const MOST_WRONG = 0.01;

/** One line for each kind. */
export function tableOf(all: ReadonlyMap<Kind, Judged>): string[] {
  const percent = (part: number, count: number) => `${((100 * part) / count).toFixed(1)} %`.padStart(8);
  return [
    'kind                 count    exact    wrong  nothing  decimal marks lost',
    ...[...all].map(
      ([kind, { count, exact, wrong, nothing, lostMarks }]) =>
        `${NAMES[kind].padEnd(18)} ${String(count).padStart(7)} ${percent(exact, count)} ${percent(wrong, count)} ${percent(nothing, count)}  ${lostMarks}`,
    ),
  ];
}

/** Whether the kinds that have a text reach their aims. */
export const isEnough = (all: ReadonlyMap<Kind, Judged>): boolean =>
  [...all].every(
    ([kind, { count, exact, wrong }]) =>
      kind === 'none' || (exact >= AIM * count && wrong < MOST_WRONG * count),
  );
