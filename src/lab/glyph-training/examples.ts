import type { Random } from '../../lib/random/seeded-random.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import { textCrop } from '../../window/ocr/crop.ts';
import { type Atom, atomsOf } from '../../window/ocr/glyph/atoms.ts';
import { CLASSES, NO_LETTER } from '../../window/ocr/glyph/classes.ts';
import { boxOf, MOST_WIDE, viewOf } from '../../window/ocr/glyph/view.ts';
import { inkOf } from '../../window/ocr/shown-text.ts';
import type { Shown } from './pages.ts';

export interface Example {
  view: Float32Array;
  label: number;
}

const MOST_ATOMS = 4;
/** Share of the examples of no letter that are kept. */
const KEPT = 0.35;
/** How far the height and the baseline may be off, by the height. */
const OFF = 0.05;
/** Share of the examples that are shown fainter than the rest of their line, and how faint. */
const FAINT = 0.25;
const FAINTEST = 0.3;

const LABELS = new Map(CLASSES.map((sign, i) => [sign, i]));
const SAME: Readonly<Record<string, string>> = { '−': '-', μ: 'µ', '\u2126': 'Ω' };
/** Letters of another alphabet are none, however whole they are. */
const IS_FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Thai}]/u;

/** Views of the letters of a text, and of parts and pairs of them. */
export function examplesOf(pixels: Pixels, { box, letters }: Shown, random: Random): Example[] {
  const crop = textCrop(pixels, box);
  if (crop?.lines !== 1) return [];
  const ink = inkOf(crop.picture);
  const { atoms, owners } = atomsOf(ink);
  const spans = letters
    .filter(({ sign }) => sign !== ' ')
    .map(({ sign, x0, x1 }) => ({
      sign,
      x0: (x0 - crop.left) * crop.scale,
      x1: (x1 - crop.left) * crop.scale,
    }));
  const letterOf = atoms.map(({ x0, x1 }) => {
    const middle = (x0 + x1) / 2;
    return spans.findIndex((span) => middle >= span.x0 && middle < span.x1);
  });
  // An atom that is much of two letters, or holds all ink of a second one such as a point, belongs to none.
  const isMixed = atoms.map((atom, i) => {
    const own = spans[letterOf[i] as number];
    if (!own) return true;
    const holdsOther = spans.some(({ x0, x1 }, k) => {
      const middle = (x0 + x1) / 2;
      return !letterOf.includes(k) && middle >= atom.x0 && middle < atom.x1;
    });
    if (holdsOther) return true;
    const outside = Math.max(0, own.x0 - atom.x0) + Math.max(0, atom.x1 - own.x1);
    return outside > 0.4 * (own.x1 - own.x0) && outside > 0.3 * (atom.x1 - atom.x0);
  });
  const digits = spans.flatMap(({ sign }, k) => {
    if (!/\d/.test(sign)) return [];
    const own = atoms.filter((_, i) => letterOf[i] === k && !isMixed[i]);
    return own.length > 0 ? [boxOf(own)] : [];
  });
  if (digits.length === 0) return [];
  const baseline = median(digits.map(({ y1 }) => y1));
  const height = baseline - median(digits.map(({ y0 }) => y0));
  if (height < 8) return [];
  const examples: Example[] = [];
  for (let from = 0; from < atoms.length; from++)
    for (let to = from + 1; to <= Math.min(atoms.length, from + MOST_ATOMS); to++) {
      const own: Atom[] = atoms.slice(from, to);
      const { x0, x1 } = boxOf(own);
      if (x1 - x0 > MOST_WIDE * height) continue;
      const k = letterOf[from] as number;
      const whole = letterOf.filter((one) => one === k).length;
      const isWhole =
        k >= 0 && whole === own.length && own.every((_, i) => letterOf[from + i] === k && !isMixed[from + i]);
      const sign = spans[k]?.sign ?? '';
      const known = LABELS.get(SAME[sign] ?? sign);
      const label = isWhole ? (known ?? (IS_FOREIGN.test(sign) ? NO_LETTER : undefined)) : NO_LETTER;
      const hasMixed = isMixed.slice(from, to).includes(true);
      if (label === undefined || (!isWhole && !hasMixed && random() > KEPT)) continue;
      const off = () => (random() * 2 - 1) * OFF * height;
      const view = viewOf(ink, owners, own, { baseline: baseline + off(), height: height + off() });
      const share = random() < FAINT ? FAINTEST + (1 - FAINTEST) * random() : 1;
      examples.push({ view: share < 1 ? view.map((value) => value * share) : view, label });
    }
  return examples;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
