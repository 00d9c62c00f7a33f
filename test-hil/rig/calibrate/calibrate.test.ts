import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { BenchRig } from '../bench/bench-rig.ts';
import { type Program, root } from '../bench/program.ts';

const test = suite('svcctl calibrate');
const LONG = { timeoutMs: 240_000 };

let rig: BenchRig;
test.before(async () => {
  rig = await BenchRig.open();
});
test.after(() => rig.close());
test.after.each(async () => {
  await rig.knobs('ads1115', { gain: 1, offset_v: 0, ain0_v: null });
  await rig.knobs('plant', { noise_v: 0 });
});

const yaml = () => readFileSync(rig.config, 'utf8');
const records = () => {
  const folder = join(rig.folder, 'calibrations', 'ai01');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
};
const calibrate = (...args: string[]): Program =>
  rig.svcctl([
    ...[
      'calibrate',
      'ai01',
      '--range',
      '0..100',
      '--points',
      '0,100',
      '--samples',
      '3',
      '--due',
      '2099-01-01',
    ],
    ...['--by', 'Anna', '--bench-reference', '--bench-url', rig.benchUrl, ...args],
  ]);
const PUMP = ['--pump', '--valve', 'valve-1'];

test(
  'DIAG-047 a twin that measures wrong: as found shows the error, as left does not, and comments of svc.yaml stay',
  async () => {
    await rig.knobs('ads1115', { gain: 1.03, offset_v: 0.01 });
    const before = yaml();
    const { code, stdout, stderr } = await calibrate(...PUMP, '--yes').ended;
    assert.is(code, 0, stderr);
    assert.match(stdout, /as found by bench-ai01: largest error 5\.\d+ mbar/);
    assert.match(stdout, /BENCH: made against a simulated plant/);
    assert.match(stdout, /proposed uncertainty \(k = 2\)/);
    assert.equal(await rig.outputsOn(), [], 'the rig is safe afterwards');
    const scale = Number(/ai01: .*scale: ([\d.]+)/.exec(yaml())?.[1]);
    assert.ok(Math.abs(scale - 100 / 1.03) < 0.2, `${scale}`);
    const unchanged = (text: string) => text.split('\n').filter((line) => !line.includes('ai01:'));
    assert.equal(unchanged(yaml()), unchanged(before), 'all else is as it was');
    assert.match(yaml(), /confirmed_by: Anna/);
    const [name = ''] = records();
    const record = JSON.parse(readFileSync(join(rig.folder, 'calibrations', 'ai01', name), 'utf8'));
    assert.equal(
      [record.old.id, record.bench, record.standard.id],
      ['bench-ai01', true, 'plant of the bench'],
    );
    const page = readFileSync(join(rig.folder, 'calibrations', 'ai01', name.replace('json', 'html')), 'utf8');
    assert.match(page, '<svg');
    assert.match(page, 'Largest error as found');
  },
  LONG,
);

test(
  'DIAG-047 DIAG-031 without a terminal nothing is switched and nothing put into use but with --yes: exit 4',
  async () => {
    const before = [yaml(), rig.moves().length];
    const { code, stderr } = await calibrate(...PUMP).ended;
    assert.is(code, 4, stderr);
    assert.match(stderr, 'there is no terminal to confirm it; give --yes');
    assert.equal([yaml(), rig.moves().length], before);
  },
  LONG,
);

test(
  'DIAG-047 a saturated and an unstable sensor are refused by name, and svc.yaml is unchanged',
  async () => {
    const before = yaml();
    await rig.knobs('ads1115', { ain0_v: 7 });
    const saturated = await calibrate('--measure-only').ended;
    assert.is(saturated.code, 1, saturated.stderr);
    assert.match(saturated.stderr, 'the converter is at the end of its range');
    await rig.knobs('ads1115', { ain0_v: null });
    await rig.knobs('plant', { noise_v: 0.05 });
    const unstable = await calibrate('--measure-only', '--settle-timeout', '2s').ended;
    assert.is(unstable.code, 1, unstable.stderr);
    assert.match(unstable.stderr, /ai01 does not settle at the|ai01 does not settle at 100 mbar/);
    assert.is(yaml(), before);
  },
  LONG,
);

for (const [signal, wanted] of [
  ['SIGINT', 130],
  ['SIGHUP', 130],
  ['SIGKILL', null],
] as const)
  test(
    `DIAG-047 DIAG-032 ${signal} while the pump runs: the rig becomes safe, svc.yaml and the records are as they were`,
    async () => {
      const before = [yaml(), records().length];
      const program = calibrate(...PUMP, '--yes');
      await rig.untilOutputs((on) => on.some((one) => one.startsWith('pump')));
      program.child.kill(signal);
      const { code } = await program.ended;
      assert.is(code, wanted);
      await rig.untilOutputs((on) => on.length === 0);
      assert.equal([yaml(), records().length], before);
    },
    LONG,
  );

test(
  'DIAG-047 pressures by hand: the readings of the standard come from a person, a bad one is asked for again',
  async () => {
    const before = rig.moves().length;
    // The sensor is connected to nothing that the answers describe.
    const child = spawn(
      process.execPath,
      [
        ...[join(root, 'dist', 'svcctl.cjs'), 'calibrate', 'ai01', '--range', '0..100', '--points', '0,100'],
        ...[
          '--samples',
          '2',
          '--standard',
          'DPI-104',
          '--certificate',
          '2026-117',
          '--standard-due',
          '2099-03-01',
        ],
        ...[
          '--standard-uncertainty',
          '0.05',
          '--by',
          'Anna',
          '--due',
          '2099-01-01',
          '--firmware-url',
          rig.bridge.url,
        ],
      ],
      { env: { PATH: process.env.PATH ?? '', SVC_CONFIG_PATH: rig.config, SVC_STATE_DIR: rig.folder } },
    );
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text;
      });
    child.stdin.end('100\nabc\n0\n100\n0\n37.5\n62.5\n');
    const code = await new Promise((resolve) => child.once('close', resolve));
    assert.is(code, 1, texts.stderr);
    assert.match(texts.stderr, '"abc" is not a number');
    assert.match(texts.stdout, /refused: the voltage moved by 0\.00\d+ V only/);
    assert.match(texts.stderr, 'was not changed');
    // The last move of the test before may be written late.
    const moves = rig.moves().slice(before);
    assert.equal(
      moves.filter((move) => !move.endsWith(' off')),
      [],
      'nothing was switched on',
    );
  },
  LONG,
);

test(
  'DIAG-047 each wrong option is named with its value and the remedy: exit 2',
  async () => {
    for (const [args, message] of [
      [['--range', '9..1'], '--range "9..1" is not a range'],
      [['--points', '0,0'], '--points "0,0"'],
      [['--due', '2020-01-01'], '--due 2020-01-01 is not after today'],
      [['--samples', '1'], '--samples "1"'],
      [['--pump'], '--pump needs --valve'],
      [['--unit', 'psi'], 'the pressure of ai01 on the bench is in mbar, not in psi'],
    ] as const) {
      const { code, stderr } = await calibrate(...args).ended;
      assert.equal([code, stderr.includes(message)], [2, true], stderr);
    }
  },
  LONG,
);

test.run();
