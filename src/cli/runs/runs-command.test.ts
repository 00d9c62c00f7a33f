import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { INDEX_FILE } from '../../services/server/run-index/open-index.ts';
import { atPlace, type RecordPlace } from '../../test-kit/scenario/sample-run.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svcctl runs');
const root = fileURLToPath(new URL(import.meta.url)).replace(/(src|node_modules)\/.*$/, '');

function svcctl(place: RecordPlace, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/svcctl.cjs', 'runs', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', SVC_STATE_DIR: place.stateDir },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('REC-005 --rebuild makes the index again; with and without it the same runs are listed', () =>
  atPlace(async (place) => {
    const store = place.store();
    await place.run(store);
    await place.run(store);
    const without = svcctl(place);
    assert.equal([without.status, without.stdout.trim().split('\n').length], [0, 2]);
    assert.not.ok(existsSync(join(place.stateDir, INDEX_FILE)), 'a list alone makes no file');
    writeFileSync(join(place.stateDir, INDEX_FILE), 'no database');
    const rebuilt = svcctl(place, '--rebuild');
    assert.equal([rebuilt.status, rebuilt.stdout], [0, without.stdout]);
    assert.match(rebuilt.stderr, /the index of 2 records in .* was made again/);
    const { source, runs, next } = JSON.parse(svcctl(place, '--json', '--limit', '1').stdout);
    assert.equal([source, runs.length, next], ['index', 1, 'r-20250115-0002']);
  }));

test('filters, wrong options, and a damaged record, which is listed and makes the exit code 1', () =>
  atPlace(async (place) => {
    const { identity } = await place.run(place.store());
    assert.is(svcctl(place, '--status', 'passed').stdout, '');
    assert.match(svcctl(place, '--scenario', 'sample').stdout, /^r-20250115-0001 .* failed +mock +sample\n$/);
    const wrong = svcctl(place, '--since', 'yesterday');
    assert.equal([wrong.status, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /--since "yesterday": must be a date/);
    writeFileSync(place.path(identity.run_id, 'run'), '{');
    const damaged = svcctl(place);
    assert.is(damaged.status, 1);
    assert.match(damaged.stdout, /^r-20250115-0001 {2}damaged: .*run\.json is not a record of a run/);
  }));

test.run();
