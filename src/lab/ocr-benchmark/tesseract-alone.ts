import { join } from 'node:path';
import { createWorker, type PSM } from 'tesseract.js';
import { packageFolder } from '../../window/image/optional-package.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import { needSharp } from '../../window/image/sharp.ts';
import type { Sample } from './sheet.ts';

const AROUND = 4;
const LARGER = 3;
/** Of 100; a text below it is not given. */
const SURE = 50;
const LINE = '7' as PSM;

/** The recognizer without all that is around it: each box with some ground, three times as large, as one line. */
export class TesseractAlone {
  readonly #worker: Promise<Awaited<ReturnType<typeof createWorker>>>;

  constructor() {
    const folder = packageFolder('@tesseract.js-data/eng');
    if (!folder)
      throw new Error('text recognition is not installed: npm install tesseract.js @tesseract.js-data/eng');
    this.#worker = createWorker('eng', 1, {
      langPath: join(folder, '4.0.0_best_int'),
      cacheMethod: 'none',
      gzip: true,
    });
  }

  async read({ width, height, data }: Pixels, samples: readonly Sample[]): Promise<(string | null)[]> {
    const worker = await this.#worker;
    await worker.setParameters({ tessedit_pageseg_mode: LINE });
    const sharp = await needSharp('the benchmark');
    const texts: (string | null)[] = [];
    for (const { box } of samples) {
      const [left, top] = [Math.max(0, box.x0 - AROUND), Math.max(0, box.y0 - AROUND)];
      const [right, bottom] = [Math.min(width, box.x1 + AROUND), Math.min(height, box.y1 + AROUND)];
      const crop = await sharp(data, { raw: { width, height, channels: 3 } })
        .extract({ left, top, width: right - left, height: bottom - top })
        .resize({ width: (right - left) * LARGER, kernel: 'cubic' })
        .png()
        .toBuffer();
      const { text, confidence } = (await worker.recognize(crop)).data;
      texts.push(text.trim() === '' || confidence < SURE ? null : text.trim());
    }
    return texts;
  }

  async close(): Promise<void> {
    await (await this.#worker).terminate();
  }
}
