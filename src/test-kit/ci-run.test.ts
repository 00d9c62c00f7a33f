import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from './suite.ts';

const test = suite('.ci/run');
const SCRIPT = fileURLToPath(new URL('../../.ci/run', import.meta.url));
const TOOLS = ['bash', 'env', 'dirname', 'mktemp', 'tee', 'tail', 'sed', 'rm'];

/** Runs the script where there is no apt-get, with an `npm` that does what `behaviour` says for its arguments. */
function run(behaviour: string): { status: number | null; lines: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'ci-run-'));
  try {
    for (const tool of TOOLS) symlinkSync(`/usr/bin/${tool}`, join(folder, tool));
    writeFileSync(join(folder, 'npm'), `#!/usr/bin/env bash\ncase "$*" in\n${behaviour}\nesac\n`, {
      mode: 0o755,
    });
    const { status, stdout } = spawnSync(SCRIPT, { env: { PATH: folder }, encoding: 'utf8' });
    return { status, lines: stdout.trim().split('\n') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the last line counts the tests of all steps', () => {
  const { status, lines } = run(`*node24*) echo '20 passed, 0 failed';;
    *test:image*) echo '5 passed, 0 failed, 8 skipped';;
    'test --silent') echo '300 passed, 0 failed, 1 skipped';;`);
  assert.is(lines.at(-1), '325 passed, 0 failed, 9 skipped');
  assert.is(status, 0);
});

test('tests that failed in any step, and a step that ends without any, are counted, named and fail the whole', () => {
  const { status, lines } = run(`'run --silent lint') echo 'bad style'; exit 1;;
    *node24*) echo '19 passed, 2 failed'; exit 1;;
    *test:image*) echo 'no QEMU'; exit 1;;
    'test --silent') echo '300 passed, 0 failed';;`);
  assert.equal(lines.slice(-4), [
    'failed: npm run --silent lint',
    'failed: npm run --silent test:node24 -- --quick',
    'failed: npm run --silent test:image -- --smoke',
    '319 passed, 4 failed, 0 skipped',
  ]);
  assert.is(status, 1);
});

test.run();
