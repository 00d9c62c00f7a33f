import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { createWorker, Worker as OcrWorker } from 'tesseract.js';
import type { Box } from '../compare/box.ts';
import { optionalPackage, packageFolder } from '../image/optional-package.ts';
import type { Pixels } from '../image/pixels.ts';
import { textCrop } from './crop.ts';
import { readCrop } from './read-crop.ts';

/** Data packages by the language of a request; the Polish one reads English as well. */
const DATA: Readonly<Record<string, string>> = { en: 'eng', pl: 'pol' };
const DATA_VERSION = '4.0.0_best_int';
/** The LSTM recognizer. */
const LSTM = 1;
const WORKERS = 2;

type Library = { createWorker: typeof createWorker };

/** Texts that are remembered; screens are looked at again and again, and little of them changes. */
const REMEMBERED = 4000;

export interface ReadTexts {
  /** Text of each box; null: none that is sure. */
  texts: (string | null)[];
  /** Boxes that were not read since time was up. */
  unread: number;
}

/** Reads the text of single elements, offline; its workers and what they have read are kept for the next picture. */
export class TextReader {
  readonly #workers = new Map<string, Promise<OcrWorker[] | undefined>>();
  readonly #known = new Map<string, string | null>();

  /**
   * Undefined when text recognition or the language's data is not installed.
   *
   * @param isLate asked before each box; what is left then stays unread
   */
  async read(
    image: Pixels,
    boxes: readonly Box[],
    language: string,
    isLate: () => boolean = () => false,
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
    let next = 0;
    let unread = 0;
    await Promise.all(
      ready.map(async (worker) => {
        for (let index = next++; index < boxes.length; index = next++) {
          const box = boxes[index];
          if (!box) continue;
          if (isLate()) unread++;
          else texts[index] = await this.#readOne(worker, name, image, box);
        }
      }),
    );
    return { texts, unread };
  }

  async close(): Promise<void> {
    const started = [...this.#workers.values()];
    this.#workers.clear();
    for (const workers of started) for (const worker of (await workers) ?? []) await worker.terminate();
  }

  /** The same picture of a text has the same text. */
  async #readOne(worker: OcrWorker, data: string, image: Pixels, box: Box): Promise<string | null> {
    const crop = textCrop(image, box);
    if (!crop) return null;
    const key = `${data} ${crop.picture.width} ${createHash('sha1').update(crop.picture.data).digest('base64')}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const text = await readCrop(worker, crop, (options) => textCrop(image, box, options));
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(key, text);
    return text;
  }
}

async function startWorkers(data: string): Promise<OcrWorker[] | undefined> {
  const library = await optionalPackage<Library>('tesseract.js');
  const folder = packageFolder(`@tesseract.js-data/${data}`);
  if (!library || !folder) return undefined;
  const options = { langPath: join(folder, DATA_VERSION), cacheMethod: 'none', gzip: true };
  return Promise.all(Array.from({ length: WORKERS }, () => library.createWorker(data, LSTM, options)));
}
