import { f1Of, type Score, sumOf } from './score.ts';
import type { Screen } from './truth.ts';

export interface Judged {
  screen: Screen;
  score: Score;
}

export const f1 = ({ hits, wrong, missed }: Score): number => f1Of(hits, wrong, missed);
export const strictF1 = ({ strictHits, strictWrong, strictMissed }: Score): number =>
  f1Of(strictHits, strictWrong, strictMissed);

/** Sums of the screens that have one key in common, by key. */
export function groupsOf(judged: readonly Judged[], key: (screen: Screen) => string): Map<string, Score> {
  const keys = [...new Set(judged.map(({ screen }) => key(screen)))].sort();
  return new Map(
    keys.map((one) => [
      one,
      sumOf(judged.filter(({ screen }) => key(screen) === one).map(({ score }) => score)),
    ]),
  );
}

export interface ScaleLoss {
  scale: number;
  pages: number;
  /** F1 of the same pages at the usual density and at this one. */
  usual: number;
  here: number;
}

/** For each density: how the pages that are there at the usual one too do at both. */
export function scaleLosses(judged: readonly Judged[]): ScaleLoss[] {
  const view = ({ id, page }: Screen) => `${page} ${/-\d+$/.exec(id)?.[0] ?? ''}`;
  const usual = new Map(
    judged.filter(({ screen }) => screen.scale === 1).map((one) => [view(one.screen), one]),
  );
  const scales = [...new Set(judged.map(({ screen }) => screen.scale))].filter((scale) => scale !== 1).sort();
  return scales.flatMap((scale) => {
    const pairs = judged.flatMap((one) => {
      const other = one.screen.scale === scale ? usual.get(view(one.screen)) : undefined;
      return other ? [{ here: one.score, usual: other.score }] : [];
    });
    if (pairs.length === 0) return [];
    return [
      {
        scale,
        pages: pairs.length,
        usual: f1(sumOf(pairs.map((pair) => pair.usual))),
        here: f1(sumOf(pairs.map((pair) => pair.here))),
      },
    ];
  });
}
