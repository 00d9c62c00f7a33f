import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { ConfigError } from '../../lib/config/config-error.ts';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';
import { suite } from '../../test-kit/suite.ts';
import { withConfigLock } from './config-lock.ts';
import { type ConfigEdit, changeConfigFile, editConfig } from './edit-config.ts';

const test = suite('edits of svc.yaml');

const set = (path: string, value: unknown): ConfigEdit => ({ path: path.split('.'), value });
const edit = (text: string, ...edits: ConfigEdit[]) => editConfig(text, edits, 'svc.yaml');

function faultOf(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    assert.instance(thrown, ConfigError);
    return (thrown as ConfigError).message;
  }
  throw new Error('no ConfigError was thrown');
}

const RIG = `# head

aliases:   # names
  'valve-nc': "valve-1"   # quoted both ways

  b: valve-2
sensors:
  ai01: {calibration: {id: c, unit: mbar, kind: linear, scale: 1.50, offset: 0}}  # in braces
pump: {full_scale_lpm: 10}
plugins:
  sensor-adc: { connection_type: i2c, connection_params: { bus: 1, address: 0x48 } }
# tail
`;

test('only what was asked for changes: comments, order, quoting, blanks and number forms stay', () => {
  const edited = edit(RIG, set('aliases.valve-nc', 'valve-3'), set('limits.pump.max_power_pct', 60));
  const wanted = RIG.replace('"valve-1"', '"valve-3"').replace(
    '\n# tail',
    '\nlimits:\n  pump:\n    max_power_pct: 60\n# tail',
  );
  assert.is(edited, wanted);
});

test('no edit changes nothing, in the file of the appliance too', () => {
  assert.is(edit(RIG), RIG);
  const shipped = readFileSync('rootfs/etc/svc/svc.yaml', 'utf8');
  assert.is(edit(shipped), shipped);
  assert.is(edit(shipped.replaceAll('\n', '\r\n')), shipped.replaceAll('\n', '\r\n'));
});

test('maps on the way are made, values inside of braces are set', () => {
  assert.is(edit('', set('pump.full_scale_lpm', 12)), 'pump:\n  full_scale_lpm: 12\n');
  const edited = edit(RIG, set('sensors.ai01.calibration.due_at', '2027-01-01'));
  assert.is(edited, RIG.replace('offset: 0}}', 'offset: 0, due_at: 2027-01-01}}'));
  const named = edit(
    edited,
    set('sensors.ai01.calibration.confirmed_by', 'Ola, {QA}'),
    set('sensors.ai01.calibration.confirmed_at', '2025-01-01'),
  );
  assert.match(named, 'confirmed_by: "Ola, {QA}", confirmed_at: 2025-01-01}}  # in braces');
  assert.is(edit('pump: {}', set('pump.full_scale_lpm', 12)), 'pump: {full_scale_lpm: 12}');
  assert.is(edit('pump: { }', set('pump.full_scale_lpm', 12)), 'pump: {full_scale_lpm: 12 }');
  const rules = 'interlocks:\n  - {id: a, reason: r, while: {pump-main: on}, require_any: {valve-1: open}}\n';
  assert.match(edit(rules, { path: ['interlocks', 0, 'reason'], value: 'new' }), 'reason: new');
});

test('a new key goes behind the last one of its map, with the line ends of the file', () => {
  const file =
    'sensors:\r\n  ai01:\r\n    calibration:\r\n      id: c # its id\r\n\r\n  # next\r\n  ai02: {}\r\n';
  const whole = file.replace(
    'id: c # its id',
    'id: c # its id\r\n      unit: V\r\n      kind: linear\r\n      scale: 1\r\n      offset: 0',
  );
  const added = whole.replace('offset: 0\r\n', 'offset: 0\r\n      due_at: 2027-01-01\r\n');
  assert.is(edit(whole, set('sensors.ai01.calibration.due_at', '2027-01-01')), added);
  assert.is(
    edit('pump:\n  full_scale_lpm: 1', set('limits.run.max_duration_s', 60)),
    'pump:\n  full_scale_lpm: 1\nlimits:\n  run:\n    max_duration_s: 60',
  );
});

test('a whole entry can be replaced; comments outside of it stay', () => {
  const calibration = {
    id: 'new',
    unit: 'bar',
    kind: 'table',
    points: [
      [0, 0],
      [1, 2],
    ],
  };
  const edited = edit(RIG, set('sensors.ai01.calibration', calibration));
  for (const part of ['# head', '# names', '# quoted both ways', '# in braces', '# tail', 'id: new'])
    assert.match(edited, part);
  assert.match(edit('sensors: {ai01: {}}', set('sensors.ai01', { calibration })), 'id: new');
});

test('a key can be removed; comments of the others stay', () => {
  const file =
    '# head\nsensors:\n  ai01:\n    calibration:\n      id: c # its id\n      unit: mbar # of the manometer\n      kind: linear\n      scale: 1\n      offset: 0\n';
  const points = [
    [0, 0],
    [1, 2],
  ];
  const edited = edit(
    file,
    set('sensors.ai01.calibration.scale', undefined),
    set('sensors.ai01.calibration.offset', undefined),
    set('sensors.ai01.calibration.kind', 'table'),
    set('sensors.ai01.calibration.points', points),
  );
  for (const part of ['# head', 'id: c # its id', 'unit: mbar # of the manometer', 'kind: table'])
    assert.match(edited, part);
  assert.not.match(edited, /scale|offset/);
});

test('a long text is not folded', () => {
  const source = 'a word '.repeat(40).trim();
  assert.match(edit(RIG, set('sensors.ai01.calibration.source', source)), source);
});

test('an edit whose result the schema refuses is refused', () => {
  assert.match(
    faultOf(() => edit(RIG, set('pump.full_scale_lpm', -1))),
    'pump.full_scale_lpm = -1: must be above 0',
  );
  assert.match(
    faultOf(() => edit(RIG, set('pump.scale', 1))),
    'pump.scale = 1: unknown key',
  );
  assert.match(
    faultOf(() => edit('a: [', set('pump.full_scale_lpm', 1))),
    'line 1',
  );
  assert.match(
    faultOf(() => edit(RIG, set('pump.full_scale_lpm.x', 1))),
    'cannot be set here',
  );
});

test('an edit that would change another place too, through an anchor, is refused', () => {
  const shared = 'peripherals:\n  a: &lamp {unit: V}\n  b: *lamp\n';
  assert.match(
    faultOf(() => edit(shared, set('peripherals.a.unit', 'mV'))),
    'an anchor (&, *) shares it',
  );
});

const WRITER = { service: 'this test' };

async function faultOfChange(path: string, ...edits: ConfigEdit[]): Promise<string> {
  try {
    await changeConfigFile(path, edits, WRITER);
  } catch (thrown) {
    assert.instance(thrown, ConfigError);
    return (thrown as ConfigError).message;
  }
  assert.unreachable('it was changed');
  return '';
}

test('the file is replaced as a whole: mode and link stay, a refused edit leaves it alone', async () => {
  const folder = temporaryFolder('edit-config-');
  const file = join(folder, 'real.yaml');
  const link = join(folder, 'svc.yaml');
  writeFileSync(file, RIG);
  chmodSync(file, 0o640);
  symlinkSync('real.yaml', link);
  await changeConfigFile(link, [set('pump.full_scale_lpm', 12)], WRITER);
  assert.is(readFileSync(file, 'utf8'), RIG.replace('full_scale_lpm: 10', 'full_scale_lpm: 12'));
  assert.is(statSync(file).mode & 0o777, 0o640);
  const before = readFileSync(file, 'utf8');
  await faultOfChange(link, set('pump.full_scale_lpm', 0));
  assert.is(readFileSync(file, 'utf8'), before);
  assert.equal(readdirSync(folder).sort(), ['real.yaml', 'svc.yaml'], 'nothing is left behind');
  assert.match(await faultOfChange(join(folder, 'gone.yaml')), 'cannot be read');
});

test('changes of one file wait for each other, through every link to it, and none is lost', async () => {
  const folder = temporaryFolder('edit-config-');
  const file = join(folder, 'real.yaml');
  const link = join(folder, 'svc.yaml');
  writeFileSync(file, RIG);
  symlinkSync('real.yaml', link);
  let changed: Promise<void> | undefined;
  await withConfigLock(file, WRITER, async () => {
    const before = readFileSync(file, 'utf8');
    changed = changeConfigFile(link, [set('pump.full_scale_lpm', 12)], WRITER);
    await systemClock.sleep(120);
    assert.is(readFileSync(file, 'utf8'), before, 'the other one waits');
    writeFileSync(file, `${before}# Anna was here\n`);
  });
  await changed;
  assert.is(
    readFileSync(file, 'utf8'),
    `${RIG.replace('full_scale_lpm: 10', 'full_scale_lpm: 12')}# Anna was here\n`,
  );
});

test('a change that goes on for ever is named, and the file of another rig is not held up by it', async () => {
  const folder = temporaryFolder('edit-config-');
  const [held, other] = ['held.yaml', 'other.yaml'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(held, RIG);
  writeFileSync(other, RIG);
  await withConfigLock(held, WRITER, async () => {
    assert.match(
      await faultOfChange(held, set('pump.full_scale_lpm', 12)),
      `is being changed by this test (pid ${process.pid}); wait until it has ended`,
    );
    await changeConfigFile(other, [set('pump.full_scale_lpm', 12)], WRITER);
  });
  assert.is(readFileSync(held, 'utf8'), RIG);
});

test.run();
