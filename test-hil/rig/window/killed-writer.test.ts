import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { seededRandom } from '../../../src/lib/random/seeded-random.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { inFolder } from '../../../src/test-kit/window/folder.ts';
import { motley } from '../../../src/test-kit/window/pictures.ts';
import { programFaults } from '../../../src/window/program/schema.ts';
import { root } from '../bench/program.ts';
import { runWindow } from './window-program.ts';

const test = suite('svc-window, writers');
const SLOW = { timeoutMs: 240_000 };
const bundle = join(root, 'dist', 'svc-window.cjs');

test(
  'WIN-019 a writer that is killed at any moment leaves the old program or the new one, and nothing is in the way of the next',
  () =>
    inFolder(async ({ png, file }) => {
      // A large program, so that its writing takes a while.
      const random = seededRandom(19);
      const images = [png('a.png', motley(300, 260)), png('b.png', motley(301, 260))];
      const args = (image: string) => [
        'analyze',
        '--image',
        image,
        '--file',
        file('p.json'),
        '--grid',
        '200',
        '--with-grid',
      ];
      await runWindow(args(images[0] ?? ''));
      const seen = new Set<string>();
      for (let round = 0; round < 12; round++) {
        const before = readFileSync(file('p.json'), 'utf8');
        const child = spawn(process.execPath, [bundle, ...args(images[(round + 1) % 2] ?? '')], {
          stdio: 'ignore',
        });
        const ended = new Promise((resolve) => child.once('close', resolve));
        // The first sign of the writing is its moment.
        const watcher = watch(file(''));
        await Promise.race([new Promise((resolve) => watcher.once('change', resolve)), ended]);
        await Promise.race([systemClock.sleep(random() * 60), ended]);
        child.kill('SIGKILL');
        await ended;
        watcher.close();
        const after = readFileSync(file('p.json'), 'utf8');
        assert.equal(programFaults(JSON.parse(after)), []);
        seen.add(after === before ? 'old' : 'new');
      }
      assert.ok(seen.has('old'), 'no writer was killed before it was done');
      const last = await runWindow([
        'analyze',
        '--image',
        images[0] ?? '',
        '--file',
        file('p.json'),
        '--grid',
        '30',
      ]);
      assert.is(last.code, 0);
      assert.equal(
        readdirSync(file('')).filter((name) => name.endsWith('.tmp')),
        [],
        'the next writer clears up',
      );
    }),
  SLOW,
);

test(
  'WIN-019 eight processes that write one program at a time: each change is there, or its writer was informed',
  () =>
    inFolder(async ({ png, file }) => {
      const image = png('a.png', motley(150, 100));
      const program = file('p.json');
      await runWindow(['analyze', '--image', image, '--file', program]);
      const base = JSON.parse(readFileSync(program, 'utf8'));
      writeFileSync(program, JSON.stringify({ ...base, mine: 'kept' }));
      const runs = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          runWindow(['analyze', '--image', image, '--file', program, '--grid', String(20 + index)]),
        ),
      );
      const codes = runs.map(({ code, stdout }) =>
        code === 0 ? 'written' : (JSON.parse(stdout) as { code: string }).code,
      );
      for (const code of codes) assert.ok(['written', 'program_changed'].includes(code), code);
      const { metadata, mine } = JSON.parse(readFileSync(program, 'utf8'));
      assert.is(mine, 'kept');
      assert.is(codes[metadata.grid - 20], 'written', 'the last one that was written is there');
    }),
  SLOW,
);

test.run();
