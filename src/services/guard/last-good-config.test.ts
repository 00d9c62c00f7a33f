import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { keepGoodConfig, loadToGuard } from './last-good-config.ts';

const test = suite('the configuration of a guard, also of a faulty svc.yaml');
let folder: string;
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'last-good-'));
});
test.after.each(() => rmSync(folder, { recursive: true }));

const GOOD = '# of this rig\nplugins: { lung-motor: { enabled: false } }\nlogs: { max_mb: 77 }\n';
const BROKEN = '{ no yaml';
const MISNAMED = `${GOOD}sensors: { ai1: { resolution: 0.1 } }\n`;

const file = () => join(folder, 'svc.yaml');
const kept = () => join(folder, 'last-good-svc.yaml');
const write = (text: string) => writeFileSync(file(), text);

function load({ mustAct = false } = {}) {
  const env = { SVC_STATE_DIR: folder, SVC_HARDWARE_MODE: 'real' };
  const faults: string[] = [];
  const loaded = loadToGuard({ env, cwd: folder }, mustAct, (message) => faults.push(message));
  return { loaded, faults };
}

test('SVC-053 what is kept is the file as it was loaded, though it has been broken since', () => {
  write(GOOD);
  const { loaded } = load();
  write(BROKEN);
  keepGoodConfig(folder, loaded);
  assert.is(readFileSync(kept(), 'utf8'), GOOD);
  const later = load();
  assert.equal([later.loaded.isFaulty, later.loaded.path, later.loaded.config.logMaxMb], [true, kept(), 77]);
  assert.match(later.faults.join(), `the configuration of the last guard is used instead: ${kept()}`);
});

test('SVC-053 a valid file is used as it is and leaves nothing else behind when it is kept', () => {
  write(GOOD);
  const { loaded, faults } = load();
  assert.equal([loaded.isFaulty, loaded.path, faults], [false, file(), []]);
  keepGoodConfig(folder, loaded);
  keepGoodConfig(folder, loaded);
  assert.equal(readdirSync(folder).sort(), ['last-good-svc.yaml', 'svc.yaml']);
});

test('SVC-053 a guard that has none but the kept file, or no file, overwrites nothing', () => {
  write(GOOD);
  keepGoodConfig(folder, load().loaded);
  write(BROKEN);
  const { loaded } = load();
  rmSync(kept());
  keepGoodConfig(folder, loaded);
  keepGoodConfig(folder, { ...loaded, path: undefined, text: '' });
  assert.equal(readdirSync(folder), ['svc.yaml']);
});

test('SVC-053 of a file with an unknown name the rest is used, where a guard has worked before or must act', () => {
  write(MISNAMED);
  assert.throws(() => load(), 'ai1 is not a sensor of this rig');
  const { loaded, faults } = load({ mustAct: true });
  assert.equal([loaded.isFaulty, loaded.path, loaded.config.logMaxMb], [true, file(), 77]);
  assert.match(faults.join(), /ai1 is not a sensor of this rig.*the rest of it is used/);
  writeFileSync(kept(), BROKEN);
  assert.is(load().loaded.path, file(), 'before the kept one');
});

test('SVC-055 without a kept file a broken or an empty one is refused, also where a guard must act', () => {
  write(BROKEN);
  assert.throws(() => load({ mustAct: true }), file());
  write('# nothing\n');
  assert.throws(() => load({ mustAct: true }), 'names no device: write the devices of this rig there');
  writeFileSync(kept(), GOOD);
  assert.is(load().loaded.path, kept(), 'an empty one does not stand for the default devices');
});

test.run();
