import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { drawnSvg } from '../../test-kit/window/pictures.ts';
import type { Pixels } from '../image/pixels.ts';
import { detect } from './detect.ts';

const test = suite('columns of rows');

const NUMBERS = ['12.5', '-3.1', '101.3 kPa', '4.82 bar', '1013', '0.07', '21.4 °C', '30 l/min', '-0.2 mbar'];
const WORDS = [
  'Inlet',
  'Pressure',
  'Chamber',
  'gap',
  'Start',
  'Exhaust valve',
  'Type',
  'Lung motor',
  'jolly',
];
const FONTS = ['DejaVu Sans', 'Liberation Sans', 'DejaVu Sans Mono'];
const HOLDERS: ReadonlySet<string> = new Set(['window', 'panel', 'toolbar', 'image']);

interface Column {
  texts: readonly string[];
  size: number;
  spacing: number;
  anchor: 'start' | 'middle' | 'end';
  scale: number;
  font: string;
  isDark: boolean;
}

const WIDE = 260;

/** Foot of a row, pixels of the picture. */
const footOf = ({ size, spacing, scale }: Column, row: number): number =>
  Math.round((30 + size + row * size * spacing) * scale);

async function drawn(column: Column): Promise<Pixels> {
  const { texts, size, spacing, anchor, scale, font, isDark } = column;
  const [width, height] = [WIDE * scale, Math.round((texts.length * size * spacing + 70) * scale)];
  const [ground, ink] = isDark ? ['#1c2128', '#f0f3f6'] : ['#ffffff', '#222222'];
  const x = { start: 40, middle: 130, end: 220 }[anchor] * scale;
  const rows = texts.map((text, row) => `<text x="${x}" y="${footOf(column, row)}">${text}</text>`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${ground}"/><g font-family="${font}" font-size="${size * scale}" fill="${ink}" text-anchor="${anchor}">${rows}</g></svg>`;
  return drawnSvg(svg);
}

const random = seededRandom(7);
const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;

for (const [name, words] of [
  ['numbers', NUMBERS],
  ['words', WORDS],
  ['names and numbers', [...NUMBERS, ...WORDS]],
] as const)
  test(
    `WIN-029 each row of a column of ${name} is an element of its own, in every size, spacing, alignment and density`,
    async () => {
      const joined: string[] = [];
      const counts = { rows: 0, found: 0 };
      for (const size of [10, 12, 14, 16, 18, 20])
        for (const spacing of [1.15, 1.3, 1.6, 2.2])
          for (const scale of [1, 1.5, 2]) {
            const texts = Array.from({ length: 2 + Math.floor(random() * 7) }, () => one(words));
            const column: Column = {
              texts,
              size,
              spacing,
              scale,
              anchor: one(['start', 'middle', 'end']),
              font: one(FONTS),
              isDark: random() < 0.3,
            };
            const boxes = detect(await drawn(column))
              .filter(({ role }) => !HOLDERS.has(role))
              .map(({ box }) => box);
            const middles = texts.map((_, row) => footOf(column, row) - 0.35 * size * scale);
            for (const { y0, y1 } of boxes)
              if (middles.filter((y) => y > y0 && y < y1).length > 1) joined.push(JSON.stringify(column));
            counts.rows += texts.length;
            counts.found += middles.filter((y) => boxes.some(({ y0, y1 }) => y > y0 && y < y1)).length;
          }
      assert.equal(joined, []);
      assert.ok(counts.found >= 0.97 * counts.rows, `${counts.found} of ${counts.rows} rows`);
    },
    { timeoutMs: 300_000 },
  );

test.run();
