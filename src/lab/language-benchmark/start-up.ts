import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { longScenario } from './reading.ts';

export interface StartUp {
  readonly nodeMs: number;
  readonly validateMs: number;
  /** Median of the ratios, pair by pair. */
  readonly ratio: number;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

function wallOf(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - started;
}

/** `svcctl validate` of a 100-line file beside `node -e 0`, in turn. */
export function measureStartUp(svcctl: string, pairs: number): StartUp {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-'));
  const file = path.join(folder, 'hundred.oql');
  writeFileSync(file, longScenario(100));
  try {
    const node: number[] = [];
    const validate: number[] = [];
    const ratios: number[] = [];
    wallOf([svcctl, 'validate', file]);
    for (let i = 0; i < pairs; i++) {
      const a = wallOf(['-e', '0']);
      const b = wallOf([svcctl, 'validate', file]);
      node.push(a);
      validate.push(b);
      ratios.push(b / a);
    }
    return { nodeMs: median(node), validateMs: median(validate), ratio: median(ratios) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
