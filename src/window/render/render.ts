import { writeFile } from 'node:fs/promises';
import { checkDimensions } from '../image/limits.ts';
import { needSharp } from '../image/sharp.ts';
import type { Program } from '../program/schema.ts';
import { WindowError } from '../window-error.ts';
import { programSvg } from './svg.ts';

/** Draws a program as the kind of file that the name says. @throws WindowError `invalid_parameter`, `component_missing` */
export async function renderProgram(program: Program, out: string): Promise<void> {
  const svg = programSvg(program);
  if (/\.svg$/i.test(out)) return writeFile(out, svg);
  if (!/\.png$/i.test(out))
    throw new WindowError('invalid_parameter', `${out} says no kind of file: name it *.svg or *.png`, {
      path: out,
    });
  const { width, height } = program.scene;
  checkDimensions(out, width, height);
  const sharp = await needSharp('drawing as PNG');
  await writeFile(out, await sharp(Buffer.from(svg), { unlimited: true }).png().toBuffer());
}
