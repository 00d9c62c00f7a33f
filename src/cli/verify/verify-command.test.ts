import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { rigKey } from '../../lib/liveness/live-address.ts';
import { acquireLock } from '../../lib/lock/lock.ts';
import { rigKeyOf } from '../../scenario/records/rig-key.ts';
import { atPlace, type RecordPlace } from '../../test-kit/scenario/sample-run.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svcctl verify');
const root = fileURLToPath(new URL(import.meta.url)).replace(/(src|node_modules)\/.*$/, '');

function verify(place: RecordPlace, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/svcctl.cjs', 'verify', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', SVC_STATE_DIR: place.stateDir },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('REC-003 exit 0 with the key for a record as sealed, 1 with file and line for one that was changed', () =>
  atPlace(async (place) => {
    const store = place.store();
    const { identity } = await place.run(store);
    const other = (await place.run(store)).identity.run_id;
    const { fingerprint } = rigKeyOf(place.stateDir).public;
    const good = verify(place, identity.run_id);
    assert.is(good.status, 0, good.stderr);
    assert.match(
      good.stdout,
      `${identity.run_id}  sealed by ${identity.station?.rig_id} (this rig) at 2025-01-15T10:00:00.000Z, key ${fingerprint}`,
    );
    const path = place.path(other, 'events');
    const lines = readFileSync(path, 'utf8');
    writeFileSync(path, lines.replace('"seq":4', '"seq":4 '));
    const bad = verify(place, '--all');
    assert.is(bad.status, 1);
    assert.match(bad.stdout, `${other}  CHANGED`);
    assert.match(bad.stdout, /^ {2}events\.ndjson line 5: it was changed/m);
    assert.match(
      bad.stdout,
      '1 of 2 records are as they were sealed; 1 changed, 0 without seal, 0 not ended',
    );
    const json = verify(place, other, '--json');
    assert.is(json.status, 1);
    assert.equal(JSON.parse(json.stdout).faults[0].line, 5);
  }));

test('REC-003 exit 2 for a run that has not ended, a name of nothing and wrong usage', () =>
  atPlace(async (place) => {
    const { identity } = await place.cutRun(place.store(), () => true);
    const open = verify(place, identity.run_id);
    assert.is(open.status, 2);
    assert.match(open.stdout, 'not ended');
    for (const args of [['r-20250115-0099'], [], ['--all', identity.run_id], [place.stateDir]]) {
      const wrong = verify(place, ...args);
      assert.equal([wrong.status, wrong.stdout], [2, ''], args.join(' '));
      assert.match(wrong.stderr, /^svcctl: .+\n$/);
    }
  }));

/** While the test holds the lock of the records, which a blocked test could not answer for. */
function verifyBeside(place: RecordPlace, ...args: string[]) {
  const child = spawn(process.execPath, ['dist/svcctl.cjs', 'verify', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', SVC_STATE_DIR: place.stateDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  return once(child, 'close').then(([status]) => ({ status: status as number, stdout }));
}

test('REC-003 --all passes over a record without an ending only while a program carries its run on', () =>
  atPlace(async (place) => {
    const { identity } = await place.cutRun(place.store(), () => true);
    let runs: string[] = [];
    const lock = await acquireLock({
      key: `svc-server-${rigKey(place.stateDir)}`,
      identity: () => ({ service: 'svc-server', pid: process.pid, port: null, since: '', runs }),
    });
    try {
      const left = await verifyBeside(place, '--all');
      assert.is(left.status, 2, 'the server runs, and not this run');
      assert.match(left.stdout, 'no program carries the run on');
      runs = [identity.run_id];
      const live = await verifyBeside(place, '--all');
      assert.is(live.status, 0);
      assert.match(live.stdout, 'the run goes on');
    } finally {
      await lock.release();
    }
  }));

test('REC-003 exit 1 and NOT SEALED for a record without a seal, also when its ending went with it', () =>
  atPlace(async (place) => {
    const { identity, ...rest } = await place.run(place.store());
    const id = identity.run_id;
    const env = { PATH: process.env.PATH ?? '', SVC_STATE_DIR: place.stateDir };
    const svcctl = (...args: string[]) =>
      spawnSync(process.execPath, ['dist/svcctl.cjs', ...args], { cwd: root, env, encoding: 'utf8' });
    assert.is(svcctl('runs', '--rebuild').status, 0);
    const seal = readFileSync(place.path(id, 'seal'));
    rmSync(place.path(id, 'seal'));
    const told = [svcctl('verify', id), svcctl('verify', '--all'), svcctl('runs')];
    for (const { status, stdout } of told) {
      assert.is(status, 1, stdout);
      assert.match(stdout, `${id}  NOT SEALED`);
    }
    for (const command of ['show', 'report']) assert.match(svcctl(command, id).stderr, 'NOT SEALED');
    writeFileSync(place.path(id, 'run'), JSON.stringify({ ...rest, identity, ending: null, events: null }));
    for (const { status, stdout } of [svcctl('verify', id), svcctl('verify', '--all'), svcctl('runs')]) {
      assert.is(status, 1, stdout);
      assert.match(stdout, `${id}  NOT SEALED`);
    }
    writeFileSync(place.path(id, 'seal'), seal);
    assert.is(svcctl('verify', id).status, 1);
  }));

test('REC-003 a folder of another rig is judged by its own seal, and by the key that --key names', () =>
  atPlace(async (place) => {
    const { identity } = await place.run(place.store());
    await atPlace((other) => {
      const copy = join(other.stateDir, 'copy');
      cpSync(join(place.stateDir, 'runs', identity.run_id), copy, { recursive: true });
      rigKeyOf(other.stateDir);
      const seen = verify(other, copy);
      assert.is(seen.status, 0, seen.stdout);
      assert.match(seen.stdout, '(another rig)');
      assert.is(verify(other, copy, '--key', identity.key?.fingerprint ?? '').status, 0);
      assert.is(verify(other, copy, '--key', 'SHA256:x').status, 1);
      cpSync(copy, join(other.stateDir, 'runs', identity.run_id), { recursive: true });
      assert.is(verify(other, identity.run_id).status, 1, 'among the records of a rig its own key counts');
      assert.is(verify(other, identity.run_id, '--key', identity.key?.fingerprint ?? '').status, 0);
      writeFileSync(join(other.stateDir, 'accepted-keys'), `${identity.key?.fingerprint} # before 2026\n`);
      assert.is(verify(other, identity.run_id).status, 0, 'an earlier key of the rig counts');
      rmSync(join(other.stateDir, 'rig-key.pem'));
      const keyless = verify(other, identity.run_id);
      assert.equal([keyless.status, keyless.stdout], [2, ''], 'without a known key no seal shows anything');
      assert.match(keyless.stderr, 'the key of this rig cannot be read');
      appendFileSync(join(copy, 'result.json'), ' ');
      assert.match(verify(other, copy).stdout, /result\.json: it was changed and has \d+ bytes, not \d+/);
      rmSync(join(copy, 'seal.json'));
      assert.match(verify(other, copy).stdout, 'seal.json: it is missing');
    });
  }));

test.run();
