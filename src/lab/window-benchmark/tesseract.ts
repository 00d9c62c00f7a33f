import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Box } from '../../window/detect/element.ts';

export interface Lines {
  find(png: Buffer): Promise<Box[]>;
  end(): Promise<void>;
}

/** The boxes of the lines that tesseract finds on a page as a whole. */
export async function loadLines(): Promise<Lines> {
  const { createWorker } = await import('tesseract.js');
  const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'));
  const worker = await createWorker('eng', 1, {
    langPath: `${data}/4.0.0_best_int`,
    cacheMethod: 'none',
    gzip: true,
  });
  return {
    find: async (png) => {
      const { data: page } = await worker.recognize(png, {}, { blocks: true });
      return (page.blocks ?? []).flatMap(({ paragraphs }) =>
        paragraphs.flatMap(({ lines }) => lines.map(({ bbox }) => ({ ...bbox }))),
      );
    },
    end: async () => void (await worker.terminate()),
  };
}
