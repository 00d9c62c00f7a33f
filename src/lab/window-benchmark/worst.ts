import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Box } from '../../window/detect/element.ts';
import { drawBox } from '../../window/image/draw-box.ts';
import { decodePng } from '../../window/image/png/decode.ts';
import { encodePng } from '../../window/image/png/encode.ts';
import { f1, type Judged } from './groups.ts';

const COUNT = 3;
const [FOUND, WRONG, EXCUSED, MISSED] = [
  [0, 150, 40],
  [220, 30, 30],
  [150, 150, 150],
  [0, 90, 255],
] as const;

/** The screens of the lowest F1, the worst first. */
export const worstOf = <T extends Judged>(judged: readonly T[]): T[] =>
  [...judged].sort((one, other) => f1(one.score) - f1(other.score)).slice(0, COUNT);

/** Writes `<id>.png` of the worst screens with their boxes: found green, false red, excused grey, missed blue. @returns their names */
export async function drawWorst(
  judged: readonly (Judged & { boxes: readonly Box[] })[],
  folder: string,
): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  return Promise.all(
    worstOf(judged).map(async ({ screen, score, boxes }) => {
      const pixels = await decodePng(readFileSync(screen.image));
      const found = new Set(score.matches.map(({ predicted }) => predicted));
      for (const { x, y, width, height } of score.lost.map(({ box }) => box))
        drawBox(pixels, edges(x, y, width, height), MISSED);
      boxes.forEach((box, i) => {
        drawBox(pixels, box, found.has(i) ? FOUND : score.false.includes(i) ? WRONG : EXCUSED);
      });
      const file = join(folder, `${screen.id}.png`);
      writeFileSync(file, encodePng(pixels));
      return `${file} F1 ${f1(score).toFixed(3)}: ${score.hits} found, ${score.wrong} false, ${score.missed} missed`;
    }),
  );
}

const edges = (x: number, y: number, width: number, height: number): Box => ({
  x0: Math.round(x),
  y0: Math.round(y),
  x1: Math.round(x + width),
  y1: Math.round(y + height),
});
