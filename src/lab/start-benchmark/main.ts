import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// npm run bench:start [-- --rounds N --node PATH]: how long svcctl takes to start, beside a bare node in the same rounds
const root = fileURLToPath(new URL('../../../', import.meta.url));
const svcctl = join(root, 'dist/svcctl.cjs');

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '20' },
      node: { type: 'string', default: process.execPath },
    },
  });
  const rounds = Number(values.rounds);
  if (!(rounds >= 1)) throw new RangeError(`--rounds ${values.rounds}: give 1 or more`);
  let arrived = () => {};
  const bridge = createServer((_, response) => {
    arrived();
    response.statusCode = 503;
    response.end();
  });
  await new Promise<void>((resolve) => bridge.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(bridge.address() as AddressInfo).port}`;

  const run = (args: readonly string[], onArrival?: (kill: () => void) => void) =>
    new Promise<number>((resolve, reject) => {
      const startedAt = performance.now();
      const child = spawn(values.node, args, { stdio: 'ignore' });
      let wallMs: number | undefined;
      onArrival?.(() => {
        wallMs ??= performance.now() - startedAt;
        child.kill('SIGKILL');
      });
      child.on('error', reject);
      child.on('close', () => resolve(wallMs ?? performance.now() - startedAt));
    });
  const cases: readonly (readonly [string, () => Promise<number>])[] = [
    ['node -e 0', () => run(['-e', '0'])],
    ['svcctl --version', () => run([svcctl, '--version'])],
    [
      'svcctl stop, until the bridge has the request',
      () =>
        run([svcctl, 'stop', '--json', '--firmware-url', url], (kill) => {
          arrived = kill;
        }),
    ],
    ['svcctl --help', () => run([svcctl, '--help'])],
  ];
  const times = cases.map((): number[] => []);
  for (let round = 0; round < rounds + 1; round++)
    for (const [index, [, measure]] of cases.entries()) {
      const wallMs = await measure();
      // The first round fills caches.
      if (round > 0) times[index]?.push(wallMs);
    }
  bridge.close();
  const bare = least(times[0] ?? []);
  for (const [index, [name]] of cases.entries()) {
    const list = times[index] ?? [];
    const [best, middle] = [least(list), median(list)];
    process.stdout.write(
      `${name.padEnd(48)} best ${best.toFixed(1).padStart(6)} ms, median ${middle.toFixed(1).padStart(6)} ms, best is ${(best / bare).toFixed(2)} x bare node\n`,
    );
  }
}

const least = (values: readonly number[]): number => Math.min(...values);
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

void main();
