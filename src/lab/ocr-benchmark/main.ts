// npm run bench:ocr: how exactly texts, numbers and displays are read, on sheets made anew or on known screens.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { encodePng } from '../../window/image/png/encode.ts';
import { TextReader } from '../../window/ocr/text-reader.ts';
import { CACHE, generatedSheets, HELD_BACK_SEED } from './generated.ts';
import { isEnough, type Judged, judge, type Miss, tableOf } from './judged.ts';
import { readKnownScreens } from './known-screens.ts';
import type { Kind } from './samples.ts';
import { TesseractAlone } from './tesseract-alone.ts';

const USAGE = `Reads texts that are known, and counts what is exact, wrong or not read.

  npm run bench:ocr -- [--seed=1] [--sheets=1] [--held-back] [--alone] [--list] [--misses=FOLDER]
  npm run bench:ocr -- FOLDER [--locale=en] [--list]

Without FOLDER, sheets of page texts, numbers with units, seven-segment displays and other alphabets are made with fonts of
Debian packages (apt-get download, nothing is installed) in Chromium. --held-back takes a seed, fonts and displays that nothing was
tuned on. --alone reads the same boxes with tesseract alone. --misses writes what was not exact as pictures.
FOLDER holds screens <id>.png with their truth <id>.gt.json; the texts of detected elements are read.
`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      sheets: { type: 'string', default: '1' },
      'held-back': { type: 'boolean', default: false },
      alone: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      misses: { type: 'string' },
      locale: { type: 'string', default: 'en' },
      chromium: { type: 'string', default: '/usr/bin/chromium' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return 2;
  }
  const [folder] = positionals;
  if (folder !== undefined) return (await readKnownScreens(folder, values.locale, values.list)) ? 0 : 1;
  const isHeldBack = values['held-back'];
  const count = Number(values.sheets);
  const wanted = {
    part: isHeldBack ? ('held-back' as const) : ('tuning' as const),
    seed: isHeldBack ? HELD_BACK_SEED : Number(values.seed),
    sheets: { text: count, number: 2 * count, segments: 2 * count, none: count },
  };
  mkdirSync(CACHE, { recursive: true });
  const [all, alone] = [new Map<Kind, Judged>(), new Map<Kind, Judged>()];
  const misses: Miss[] = [];
  const reader = new TextReader();
  const tesseract = values.alone ? new TesseractAlone() : undefined;
  try {
    for await (const { pixels, samples } of generatedSheets(wanted, values.chromium)) {
      const boxes = samples.map(({ box }) => box);
      const read = await reader.read(pixels, boxes, values.locale, Number.POSITIVE_INFINITY);
      if (!read) throw new Error('text recognition is not installed: npm install tesseract.js');
      misses.push(...judge(all, pixels, samples, read.texts));
      if (tesseract) judge(alone, pixels, samples, await tesseract.read(pixels, samples));
    }
  } finally {
    await reader.close();
    await tesseract?.close();
  }
  if (values.list)
    for (const { sample, read } of misses)
      say(`${JSON.stringify(sample.text)} was read ${JSON.stringify(read)}: ${sample.look}`);
  if (values.misses !== undefined) writeMisses(values.misses, misses);
  for (const line of tableOf(all)) say(line);
  if (tesseract) for (const line of ['the same boxes, tesseract alone', ...tableOf(alone)]) say(line);
  return isEnough(all) ? 0 : 1;
}

function writeMisses(folder: string, misses: readonly Miss[]): void {
  mkdirSync(folder, { recursive: true });
  for (const [i, { sample, read, pixels }] of misses.entries()) {
    const { x0, y0, x1, y1 } = sample.box;
    const [width, height] = [x1 - x0, y1 - y0];
    const data = new Uint8Array(width * height * 3);
    for (let y = 0; y < height; y++)
      data.set(
        pixels.data.subarray(((y0 + y) * pixels.width + x0) * 3, ((y0 + y) * pixels.width + x1) * 3),
        y * width * 3,
      );
    const name = `${i}-${sample.kind}`;
    writeFileSync(join(folder, `${name}.png`), encodePng({ width, height, data }));
    writeFileSync(join(folder, `${name}.txt`), `${sample.text}\n${read}\n${sample.look}\n`);
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
