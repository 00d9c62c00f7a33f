import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawBox } from '../../window/image/draw-box.ts';
import { encodePng } from '../../window/image/png/encode.ts';
import { readImage } from '../../window/image/read-image.ts';
import type { WindowContext } from '../../window/operations/context.ts';
import type { ElementDocument } from '../../window/operations/elements.ts';

/** One colour for each role, so that roles are distinguished at a glance. */
const COLORS: Readonly<Record<string, readonly [number, number, number]>> = {
  window: [120, 0, 160],
  panel: [150, 150, 0],
  titlebar: [160, 0, 90],
  toolbar: [90, 90, 160],
  button: [220, 30, 30],
  icon_button: [255, 120, 0],
  input: [0, 110, 220],
  checkbox: [0, 170, 170],
  text: [0, 150, 40],
  link: [0, 90, 90],
  image: [170, 110, 60],
};
const OTHER = [90, 90, 90] as const;

/** `boxes.png`, the image with the boxes that were found, and `detect.json`, the document. */
export async function writeDebugFiles(
  context: WindowContext,
  folder: string,
  document: object,
): Promise<void> {
  const { path, elements } = document as { path: string; elements: ElementDocument[] };
  const { pixels } = await readImage(context.access, path);
  for (const { bbox, role } of elements) {
    const [x0, y0, x1, y1] = bbox;
    drawBox(pixels, { x0, y0, x1, y1 }, COLORS[role] ?? OTHER);
  }
  const target = context.access.absolute(folder);
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'boxes.png'), encodePng(pixels));
  await writeFile(join(target, 'detect.json'), `${JSON.stringify(document, null, 2)}\n`);
}
