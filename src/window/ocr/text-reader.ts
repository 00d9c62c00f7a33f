import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { createWorker, Worker as OcrWorker } from 'tesseract.js';
import type { Box } from '../compare/box.ts';
import { optionalPackage, packageFolder } from '../image/optional-package.ts';
import type { Pixels } from '../image/pixels.ts';
import { type TextCrop, textCrop } from './crop.ts';
import { hasLabelBeside } from './label-beside.ts';
import { leavesOutNumber } from './left-out.ts';
import { isOtherNumber, looksLikeType, type NoText, type OneReading, readText } from './read-text.ts';
import { readSegments } from './seven-segments.ts';
import { MOST_LINES, readLines } from './several-lines.ts';

/** Data packages by the language of a request; the Polish one reads English as well. */
const DATA: Readonly<Record<string, string>> = { en: 'eng', pl: 'pol' };
const DATA_VERSION = '4.0.0_best_int';
/** The LSTM recognizer. */
const LSTM = 1;
const WORKERS = 2;

type Library = { createWorker: typeof createWorker };

/**
 * Of the enlarged texts of one image together, pixels: twice what 160 lines of usual length have. Reading takes the recognizer
 * about 2 s for each million of them.
 */
export const MOST_AREA = 8_000_000;
/** Of the surroundings on which the reading of a box depends: pixels and its height above and below it, and beside it its height so many times. */
const AROUND = 4;
const BESIDE = 5;

/** Texts that are remembered; screens are looked at again and again, and little of them changes. */
const REMEMBERED = 4000;

export interface ReadTexts {
  /** Text of each box; null: none that is sure. */
  texts: (string | null)[];
  /** For each box that has ink and no text. */
  reasons: (NoText | undefined)[];
  /** Boxes that were not read since those before them had filled the area. */
  unread: number;
}

/** A label may end with a digit: `Tank 2`. */
const isWord = (text: string): boolean => /^\p{L}/u.test(text);

/** Reads the text of single elements, offline; its workers and what they have read are kept for the next picture. */
export class TextReader {
  readonly #workers = new Map<string, Promise<OcrWorker[] | undefined>>();
  readonly #known = new Map<string, OneReading>();

  /**
   * Undefined when text recognition or the language's data is not installed.
   *
   * @param mostArea of the enlarged texts, pixels; what is left then stays unread
   */
  async read(
    image: Pixels,
    boxes: readonly Box[],
    language: string,
    mostArea = MOST_AREA,
  ): Promise<ReadTexts | undefined> {
    const name = DATA[language] ?? 'eng';
    let workers = this.#workers.get(name);
    if (!workers) {
      workers = startWorkers(name);
      this.#workers.set(name, workers);
    }
    const ready = await workers;
    if (!ready) return undefined;
    const texts: (string | null)[] = boxes.map(() => null);
    const reasons: (NoText | undefined)[] = boxes.map(() => undefined);
    let next = 0;
    let unread = 0;
    let area = 0;
    await Promise.all(
      ready.map(async (worker) => {
        for (let index = next++; index < boxes.length; index = next++) {
          const box = boxes[index];
          if (!box) continue;
          const display = readSegments(image, box);
          const mayBeType = display?.digits === undefined && looksLikeType(display && textCrop(image, box));
          const segments = mayBeType ? undefined : display;
          if (segments && isOtherNumber(textCrop(image, box), segments)) {
            reasons[index] = 'display_unsure';
            continue;
          }
          if (segments && (!segments.rest || segments.digits === undefined)) {
            texts[index] = segments.digits ?? null;
            if (segments.digits === undefined) reasons[index] = 'display_unsure';
            continue;
          }
          const letters = segments?.rest ?? box;
          const crop = textCrop(image, letters);
          if (!crop) continue;
          if (crop.lines > MOST_LINES || crop.areJoined) {
            reasons[index] = 'several_lines';
            continue;
          }
          // Counted in the order of the boxes, before anything is awaited: which ones are read depends on the image alone.
          const own = crop.picture.width * crop.picture.height;
          if (area + own > mostArea) {
            unread++;
            continue;
          }
          area += own;
          if (crop.lines === 1 ? hasLabelBeside(crop) : leavesOutNumber(image, letters, crop)) {
            reasons[index] = 'several_lines';
            continue;
          }
          const { reason, beside, ...read } = await this.#readOne(
            worker,
            name,
            image,
            letters,
            crop,
            mayBeType,
          );
          const lacks =
            beside?.some(
              (ink) => (segments ? ink.x0 > letters.x0 : true) && !isOthers(ink, letters, boxes),
            ) ||
            (read.text !== null && isWord(read.text) && leavesOutNumber(image, letters, crop));
          const text = lacks ? null : read.text;
          // A number whose unit cannot be read is no reading.
          texts[index] = segments && text !== null ? `${segments.digits} ${text}` : text;
          reasons[index] = lacks ? 'number_unsure' : reason;
        }
      }),
    );
    return { texts, reasons, unread };
  }

  async close(): Promise<void> {
    const started = [...this.#workers.values()];
    this.#workers.clear();
    for (const workers of started) for (const worker of (await workers) ?? []) await worker.terminate();
  }

  /** The same pixels in and around a box have the same text, where it is as likely a display. */
  async #readOne(
    worker: OcrWorker,
    data: string,
    image: Pixels,
    box: Box,
    crop: TextCrop,
    mayBeDisplay: boolean,
  ): Promise<OneReading> {
    const key = keyOf(image, box, data, mayBeDisplay);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const text =
      crop.lines > 1
        ? await readLines(crop.lines, (index) =>
            this.#readLine(worker, image, box, { index, of: crop.lines }),
          )
        : await readText(worker, image, crop, (options) => textCrop(image, box, options), mayBeDisplay);
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(key, text);
    return text;
  }

  async #readLine(
    worker: OcrWorker,
    image: Pixels,
    box: Box,
    line: { index: number; of: number },
  ): Promise<OneReading> {
    const crop = textCrop(image, box, { line });
    if (!crop) return { text: null, reason: 'text_unsure' };
    return readText(worker, image, crop, (options) => textCrop(image, box, { ...options, line }));
  }
}

/** By the height of a box: what another element has at least, so that ink in it is no sign of this one. */
const OTHERS = { high: 0.6, wide: 1, apart: 0.2 };

/** Whether ink beside an element is in another one: in one that may be a word, never in one that is as small as a sign. */
function isOthers(ink: Box, own: Box, boxes: readonly Box[]): boolean {
  const high = own.y1 - own.y0;
  const [x, y] = [(ink.x0 + ink.x1) / 2, (ink.y0 + ink.y1) / 2];
  const isIn = (box: Box, x: number, y: number) => x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
  return boxes.some(
    (box) =>
      isIn(box, x, y) &&
      !isIn(box, (own.x0 + own.x1) / 2, (own.y0 + own.y1) / 2) &&
      box.y1 - box.y0 >= OTHERS.high * high &&
      box.x1 - box.x0 >= OTHERS.wide * high &&
      Math.max(box.x0 - own.x1, own.x0 - box.x1) >= OTHERS.apart * high,
  );
}

/** Names all on which the reading of a box depends: the pixels, its place in them, the recognizer's data, and what else it may be. */
export function keyOf(
  { width, height, data }: Pixels,
  { x0, y0, x1, y1 }: Box,
  language: string,
  mayBeDisplay: boolean,
): string {
  const beside = Math.max(2 * (y1 - y0), x1 - x0) + BESIDE * (y1 - y0 + AROUND);
  const [left, right] = [Math.max(0, x0 - beside), Math.min(width, x1 + beside)];
  // What is ink that a reading leaves out depends on where that ink ends: up to the height of the digits above and below them.
  const above = AROUND + y1 - y0;
  const [top, bottom] = [Math.max(0, y0 - above), Math.min(height, y1 + above)];
  const hash = createHash('sha1').update([right - left, x0 - left, y0 - top, x1 - x0, y1 - y0].join());
  for (let y = top; y < bottom; y++)
    hash.update(data.subarray((y * width + left) * 3, (y * width + right) * 3));
  return `${language} ${mayBeDisplay} ${hash.digest('base64')}`;
}

async function startWorkers(data: string): Promise<OcrWorker[] | undefined> {
  const library = await optionalPackage<Library>('tesseract.js');
  const folder = packageFolder(`@tesseract.js-data/${data}`);
  if (!library || !folder) return undefined;
  const options = { langPath: join(folder, DATA_VERSION), cacheMethod: 'none', gzip: true };
  return Promise.all(Array.from({ length: WORKERS }, () => library.createWorker(data, LSTM, options)));
}
