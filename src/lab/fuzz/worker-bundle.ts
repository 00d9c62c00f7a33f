import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';

/** Bundles the fuzz worker into a temporary folder; `remove` takes it away again. */
export function bundleWorker(root: string): { script: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-fuzz-'));
  const script = path.join(folder, 'worker.cjs');
  buildSync({
    entryPoints: [path.join(root, 'src/lab/fuzz/worker.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: script,
    // Of drivers, which no input reaches.
    loader: { '.node': 'empty' },
    logLevel: 'error',
  });
  return { script, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
