import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { build } from 'esbuild';

/** Where all that makes weights of screens begins. */
const ENTRIES = ['src/lab/window-training/lesson.ts', 'src/lab/window-training/thread.ts'];

/**
 * SHA-256 of the code that makes weights, those of screens where no others are named, without its comments: other code, other weights.
 *
 * @param root folder of the project
 * @param entries where all that makes them begins
 */
export async function recipe(root = '.', entries = ENTRIES): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: entries,
    absWorkingDir: resolve(root),
    outdir: '.',
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    minifyWhitespace: true,
    legalComments: 'none',
  });
  const hash = createHash('sha256');
  for (const { text } of outputFiles) hash.update(text);
  return hash.digest('hex');
}
