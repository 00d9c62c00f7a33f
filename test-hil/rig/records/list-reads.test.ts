import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { makeRecords } from '../../../src/lab/history-benchmark/make-records.ts';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { root } from '../bench/program.ts';

const test = suite('what a list reads');
const RUNS = 2000;
const folder = temporaryFolder('svc-list-');
test.before(() => makeRecords(folder, RUNS));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** @returns the runs that were listed, and those whose files were opened for it */
function list(...args: string[]): { listed: string[]; opened: string[] } {
  const counted = join(folder, 'opened.json');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist/svcctl.cjs'), 'runs', '--json', ...args],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: {
        PATH: process.env.PATH ?? '',
        SVC_STATE_DIR: folder,
        COUNT_READS: counted,
        NODE_OPTIONS: `--require ${join(root, 'test-hil/rig/records/count-reads.cjs')}`,
      },
    },
  );
  assert.is(status, 0, stderr);
  const { runs, source } = JSON.parse(stdout) as { runs: { identity: { run_id: string } }[]; source: string };
  assert.is(source, 'index');
  return {
    listed: runs.map(({ identity }) => identity.run_id).sort(),
    opened: (JSON.parse(readFileSync(counted, 'utf8')) as string[]).sort(),
  };
}

test(
  `REC-009 of ${RUNS} runs a list, a page of it and a filter open the files of the runs that they show, and of no other`,
  () => {
    assert.is(list('--rebuild', '--limit', '1').opened.length, RUNS, 'what is opened is counted');
    const first = list();
    assert.is(first.listed.length, 50);
    assert.equal(first.opened, first.listed);
    const page = list('--limit', '20', '--before', first.listed[0] ?? '');
    assert.is(page.listed.length, 20);
    assert.equal(page.opened, page.listed);
    const failed = list('--status', 'failed', '--limit', '30');
    assert.ok(failed.listed.length > 0);
    assert.equal(failed.opened, failed.listed);
    const none = list('--search', 'nowhere');
    assert.equal([none.listed, none.opened], [[], []]);
  },
  { timeoutMs: 120_000 },
);

test.run();
