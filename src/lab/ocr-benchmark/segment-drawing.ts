import type { Random } from '../../lib/random/seeded-random.ts';
import { between, choice } from './choice.ts';

/** Lit segments, a at the top, then clockwise, g in the middle. */
const LIT: Readonly<Record<string, string>> = {
  '0': 'abcdef',
  '1': 'bc',
  '2': 'abdeg',
  '3': 'abcdg',
  '4': 'bcfg',
  '5': 'acdfg',
  '6': 'acdefg',
  '7': 'abc',
  '8': 'abcdefg',
  '9': 'abcdfg',
  '-': 'g',
  ' ': '',
};

/** How a display is made; lengths by the height of a digit. */
export interface SegmentLook {
  height: number;
  wide: number;
  thick: number;
  gap: number;
  apart: number;
  /** Degrees. */
  slant: number;
  ends: 'square' | 'pointed' | 'mitred';
  lit: string;
  ground: string;
  /** Opacity of what is not lit. */
  ghost: number;
  glow: boolean;
  roundPoint: boolean;
  /** Whether the point has room of its own. */
  pointApart: boolean;
  /** 6 and 9 without, 7 with the segment that not all displays light. */
  tails: { six: boolean; nine: boolean; seven: boolean };
  leadingBlanks: number;
}

const SCHEMES: readonly (readonly [lit: string, ground: string, isGlowing: boolean])[] = [
  ['#ff2a1a', '#140303', true],
  ['#ff3b30', '#2a0a08', true],
  ['#ffb000', '#1a1000', true],
  ['#ff9500', '#0d0d0d', true],
  ['#30ff50', '#041206', true],
  ['#7dff6a', '#101810', true],
  ['#40c8ff', '#03101c', true],
  ['#f4f8ff', '#10141c', true],
  ['#1c261a', '#9aa889', false],
  ['#202820', '#b4c0a4', false],
  ['#2a2a2a', '#c8ccc4', false],
  ['#18202c', '#8fb0a0', false],
];

export function segmentLook(random: Random): SegmentLook {
  const [lit, ground, isGlowing] = choice(random, SCHEMES);
  return {
    height: Math.round(between(random, 16, random() < 0.3 ? 110 : 56)),
    wide: between(random, 0.48, 0.62),
    thick: between(random, 0.07, 0.17),
    gap: between(random, 0.004, 0.035),
    apart: between(random, 0.16, 0.34),
    slant: random() < 0.5 ? 0 : between(random, 3, 12),
    ends: choice(random, ['square', 'pointed', 'mitred'] as const),
    lit,
    ground,
    ghost: random() < 0.5 ? 0 : between(random, 0.04, 0.16),
    glow: isGlowing && random() < 0.4,
    roundPoint: random() < 0.6,
    pointApart: random() < 0.3,
    tails: { six: random() < 0.85, nine: random() < 0.85, seven: random() < 0.2 },
    leadingBlanks: random() < 0.3 ? 1 + Math.floor(random() * 2) : 0,
  };
}

/** A display that shows a text, as SVG with its ground around it. */
export function segmentDrawing(text: string, look: SegmentLook): string {
  const { height: h, apart, slant, lit, ground, ghost, glow, pointApart } = look;
  const [w, t] = [look.wide * h, look.thick * h];
  const pad = h * 0.25;
  const lean = Math.tan((slant * Math.PI) / 180);
  let x = pad + lean * h * 0.5;
  const on: string[] = [];
  const off: string[] = [];
  const dot = (cx: number, cy: number) => {
    // A point has ground around it.
    const r = Math.min(t * 0.62, apart * h * 0.36);
    return look.roundPoint
      ? `<circle cx="${n(cx)}" cy="${n(cy)}" r="${n(r)}"/>`
      : `<rect x="${n(cx - r)}" y="${n(cy - r)}" width="${n(2 * r)}" height="${n(2 * r)}"/>`;
  };
  const shown = [...' '.repeat(look.leadingBlanks), ...text];
  for (const sign of shown) {
    if (sign === '.') {
      const room = pointApart ? t * 1.6 : 0;
      // Between two digits, a point stands in the gap that is there in any case.
      on.push(dot(pointApart ? x - apart * h * 0.5 + room * 0.5 : x - apart * h * 0.5, h - t * 0.5));
      x += room;
      continue;
    }
    if (sign === ':') {
      const cx = x + t * 0.4;
      on.push(dot(cx, h * 0.3), dot(cx, h * 0.7));
      x += t * 0.8 + apart * h;
      continue;
    }
    const names = litOf(sign, look);
    for (const name of 'abcdefg') (names.includes(name) ? on : off).push(segment(name, x, look));
    if (ghost > 0) off.push(dot(x + w + apart * h * 0.5, h - t * 0.5));
    x += w + apart * h;
  }
  const width = x - apart * h + pad + lean * h * 0.5 + t;
  const shear = `translate(0 ${n(pad)}) translate(0 ${n(h / 2)}) skewX(${n(-slant)}) translate(0 ${n(-h / 2)})`;
  const light = glow ? ` style="filter:drop-shadow(0 0 ${n(Math.max(1.5, h * 0.06))}px ${lit})"` : '';
  return `<svg width="${n(width)}" height="${n(h + 2 * pad)}" style="background:${ground};display:block"><g transform="${shear}"><g fill="${lit}" opacity="${n(ghost)}">${ghost > 0 ? off.join('') : ''}</g><g fill="${lit}"${light}>${on.join('')}</g></g></svg>`;
}

const n = (value: number): string => String(Math.round(value * 1000) / 1000);

function litOf(sign: string, { tails }: SegmentLook): string {
  const names = LIT[sign] ?? '';
  if (sign === '6' && !tails.six) return names.replace('a', '');
  if (sign === '9' && !tails.nine) return names.replace('d', '');
  return sign === '7' && tails.seven ? `${names}f` : names;
}

function segment(
  name: string,
  x: number,
  { height: h, wide, thick, gap: between, ends }: SegmentLook,
): string {
  const [w, t, gap] = [wide * h, thick * h, between * h];
  const half = h / 2;
  const level = (y: number) => bar([x, y], [x + w, y]);
  const upright = (at: number, y0: number, y1: number) => bar([at, y0], [at, y1]);
  // Along the middle lines of the strokes, which meet at the corners.
  const inset = t / 2;
  switch (name) {
    case 'a':
      return level(inset);
    case 'd':
      return level(h - inset);
    case 'g':
      return level(half);
    case 'f':
      return upright(x + inset, 0, half);
    case 'b':
      return upright(x + w - inset, 0, half);
    case 'e':
      return upright(x + inset, half, h);
    default:
      return upright(x + w - inset, half, h);
  }

  function bar([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): string {
    const isLevel = ay === by;
    const r = t / 2;
    // Pointed ends reach to the corner; square ones stop before the strokes across.
    const stop = ends === 'square' ? t / 2 + gap + r : r + gap;
    let points: [number, number][];
    if (isLevel) {
      const [x0, x1] = [ax + stop, bx - stop];
      const tip = ends === 'square' ? 0 : r;
      if (ends === 'mitred' && name !== 'g') {
        // Long at the outside, short at the inside.
        const out = name === 'a' ? -r : r;
        points = [
          [ax + gap + r * 0.3, ay + out],
          [bx - gap - r * 0.3, ay + out],
          [bx - t - gap, ay - out],
          [ax + t + gap, ay - out],
        ];
      } else
        points = [
          [x0, ay],
          [x0 + tip, ay - r],
          [x1 - tip, ay - r],
          [x1, ay],
          [x1 - tip, ay + r],
          [x0 + tip, ay + r],
        ];
      if (ends === 'square')
        points = [
          [x0, ay - r],
          [x1, ay - r],
          [x1, ay + r],
          [x0, ay + r],
        ];
    } else {
      const isUpper = ay < half - 1e-9;
      const outer = ends === 'square' ? t + gap : r + gap;
      const inner = ends === 'square' ? r + gap : gap;
      const [y0, y1] = [ay + (isUpper ? outer : inner), by - (isUpper ? inner : outer)];
      const tip = ends === 'square' ? 0 : r;
      points = [
        [ax, y0],
        [ax + r, y0 + tip],
        [ax + r, y1 - tip],
        [ax, y1],
        [ax - r, y1 - tip],
        [ax - r, y0 + tip],
      ];
    }
    return `<polygon points="${points.map(([px, py]) => `${n(px)},${n(py)}`).join(' ')}"/>`;
  }
}
