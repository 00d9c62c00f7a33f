import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type GuardReport, isGuardReport } from '../../rig/guard/guard-report.ts';
import type { StopRequest } from '../../rig/safe-state/operator-stop.ts';
import type { Io } from '../io/io.ts';
import { installation } from '../start/installation.ts';
import type { RigEnvironment } from './rig-environment.ts';

const BUNDLE = 'svc-guard.cjs';
/** It may have to end a guard and a bridge that stand still before it drives the devices. */
const LIMIT_MS = 20_000;

/** Makes the rig safe by a guard of our own, where none runs. Never rejects. @returns the report, or why there is none */
export async function runGuardOnce(
  env: RigEnvironment,
  { by, id }: StopRequest,
  { clock, cwd }: Pick<Io, 'clock' | 'cwd'>,
): Promise<GuardReport | { why: string }> {
  const bundle = guardBundle();
  if (bundle === undefined) return { why: `${BUNDLE} is missing: run npm run build` };
  const child = spawn(
    process.execPath,
    [bundle, '--once', '--by', by, ...(id === undefined ? [] : ['--id', id])],
    {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
    });
  const cancel = clock.after(LIMIT_MS, () => child.kill('SIGKILL'));
  const fault = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(undefined));
  });
  cancel();
  return reportIn(texts.stdout) ?? { why: fault ?? lastLine(texts.stderr) };
}

/** Beside the bundle of svcctl; from the sources, where the build puts it. */
function guardBundle(): string | undefined {
  const places = [() => dirname(fileURLToPath(import.meta.url)), () => installation().dist];
  for (const place of places) {
    try {
      const path = join(place(), BUNDLE);
      if (existsSync(path)) return path;
    } catch {
      // Not there; the next place.
    }
  }
  return undefined;
}

function reportIn(stdout: string): GuardReport | undefined {
  try {
    const value: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    return isGuardReport(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) || 'it ended without a word';
