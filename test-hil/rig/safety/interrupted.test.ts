import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { processIds, readProc } from '../../../src/lib/proc.ts';
import { RIG_SERVICES } from '../../../src/rig/profiles/rig-services.ts';
import { STARTED_BY_VARIABLE } from '../../../src/test-kit/end-with-parent.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { root } from '../bench/program.ts';

const test = suite('a benchmark that is interrupted');

/** Environments of what a process has started. */
const startedBy = (pid: number | undefined): string[] =>
  processIds()
    .map((one) => readProc(`/proc/${one}/environ`))
    .filter((text) => text.includes(`\0${STARTED_BY_VARIABLE}=${pid}-`));

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(
    `bench:stop ended by ${signal} in the middle leaves no PM2, no service, no twin and no folder`,
    async () => {
      const main = join(root, 'test-hil/rig/safety/stop/main.ts');
      const child = spawn(process.execPath, ['--import', 'tsx', main, '--trials', '1000', '--way', 'a'], {
        cwd: root,
        stdio: 'ignore',
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
      });
      // PM2, the twins and the services.
      while (startedBy(child.pid).length < 2 + RIG_SERVICES.length) {
        assert.is(child.exitCode, null, 'it goes on');
        await systemClock.sleep(50);
      }
      const folders = startedBy(child.pid).flatMap(
        (text) => /\0RIG_RUNTIME_DIR=([^\0]+)/.exec(text)?.[1] ?? [],
      );
      assert.ok(folders.length > 0 && folders.every((folder) => existsSync(folder)));
      child.kill(signal);
      while (startedBy(child.pid).length > 0 || folders.some((folder) => existsSync(folder)))
        await systemClock.sleep(50);
    },
    { timeoutMs: 120_000 },
  );

test.run();
