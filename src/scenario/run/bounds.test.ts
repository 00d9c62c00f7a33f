import * as assert from 'uvu/assert';
import { Registry } from '../../rig/registry/registry.ts';
import { patiently } from '../../test-kit/scenario/request-paused-clock.ts';
import {
  codesOf,
  dryRun,
  eventsOf,
  goalOf,
  outcomesOf,
  runOn,
  withBridge,
} from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import { type Bound, BoundBook, type BoundInstruction } from './bounds.ts';

const test = suite('bounds');

const goal = (...lines: string[]) => `GOAL a:\n${lines.map((line) => `  ${line}\n`).join('')}`;

const REPLACED = [
  ['MAX AI01 0.1 V', 'WAIT 10ms', 'MAX AI01 5 V', 'GET AI01'],
  ['MIN AI01 2 V', 'MIN AI01 0 V', 'GET AI01'],
  ['RANGE AI01 0 .. 0.1 V', 'MAX AI01 5 V', 'GET AI01'],
  ['RANGE AI01 0 .. 0.1 V', 'RANGE AI01 0 .. 5 V', 'CHECK AI01 < 5 V'],
];

test('LANG-039 a bound that is replaced before it met a reading is an error, and a warning before the run', () =>
  withBridge(async (twin) => {
    for (const lines of REPLACED) {
      twin.sensors['nc-sensor'] = { value: 0.635 };
      const result = await runOn(twin, goal(...lines));
      assert.equal(
        [result.ok, outcomesOf(result), codesOf(result)],
        [false, ['a error'], ['SCN410']],
        lines[0],
      );
      assert.match(goalOf(result, 'a').message ?? '', /was replaced before its sensor was read/);
      for (const mode of ['validate', 'dry-run'] as const) {
        const { diagnostics } = await dryRun(goal(...lines), { mode });
        assert.equal(
          diagnostics.map(({ code, severity, pos }) => `${code} ${severity} ${pos.line}`),
          ['SCN241 warning 2'],
          `${mode} ${lines}`,
        );
      }
    }
  }));

test('LANG-038 a bound that met a reading, or says the same again, may be replaced', () =>
  withBridge(async (twin) => {
    for (const lines of [
      ['MAX AI01 1 V', 'GET AI01', 'MAX AI01 5 V', 'GET AI01'],
      ['GET AI01', 'MAX AI01 1 V', 'MAX AI01 5 V'],
      ['LOOP 3 TIMES', '  MAX AI01 1 V', 'ENDLOOP', 'GET AI01'],
      ['MIN AI01 0 V', 'MAX AI01 1 V', 'GET AI01'],
    ]) {
      twin.sensors['nc-sensor'] = { value: 0.635 };
      const result = await runOn(twin, goal(...lines));
      assert.equal([result.outcome, result.diagnostics], ['passed', []], `${lines}`);
    }
  }));

test('LANG-038 an open side of a range replaces no bound', () =>
  withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = { value: 0.635 };
    for (const lines of [
      ['MAX AI01 0.1 V', 'RANGE AI01 0 .. inf', 'GET AI01'],
      ['MAX AI01 0.1 V', 'RANGE AI01 0 V .. inf', 'GET AI01'],
      ['MIN AI01 2 V', 'RANGE AI01 -inf .. 5 V', 'GET AI01'],
    ])
      assert.equal(outcomesOf(await runOn(twin, goal(...lines))), ['a failed'], `${lines}`);
  }));

test('LANG-038 a command whose reading violates one of several bounds is failed, and IF_FAIL sees it', () =>
  withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = { value: 0.635 };
    for (const read of ['GET AI01', 'CHECK AI01 < 5 V', 'ASSERT_SENSOR AI01 < 5 V']) {
      const source = goal(
        'MIN AI01 0.7 V',
        'MAX AI01 5 V',
        read,
        "IF_FAIL 'AI01' THEN",
        "  LOG 'seen'",
        'END',
      );
      const result = await runOn(twin, source);
      const ends = eventsOf(result, 'command.end').map(({ command, outcome }) => `${command} ${outcome}`);
      assert.is(ends[2], `${read.split(' ')[0]} failed`);
      assert.is(eventsOf(result, 'log').length, 1, read);
    }
  }));

test('LANG-032 a bound that met no reading does not count in a goal that ERROR has ended', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, goal('MAX AI01 5 V', "ERROR 'not built'", 'GET AI01'));
    assert.equal([outcomesOf(result), codesOf(result)], [['a failed'], []]);
  }));

test('LANG-072 the two sides of a range may stand in two units', () =>
  withBridge(async (twin) => {
    for (const [value, outcome] of [
      [0.5, 'failed'],
      [0.7, 'passed'],
      [7.9, 'passed'],
      [8.1, 'failed'],
    ] as const) {
      twin.sensors['nc-sensor'] = { value };
      const source = goal("RANGE AI01 '600 mV' .. '8 V'", 'GET AI01');
      assert.equal(outcomesOf(await runOn(twin, source)), [`a ${outcome}`], String(value));
    }
  }));

const WINDOW = ['SAMPLE AI01 START 50ms', 'WAIT 500 ms', 'SAMPLE AI01 STOP'];

test('LANG-040 a bound on a statistic judges each window, whatever the sensor is called', () =>
  withBridge(async (twin) => {
    const isOpen = () => [...twin.valves.values()].some(Boolean);
    twin.sensors['nc-sensor'] = () => (isOpen() ? 2 : 0.5);
    for (const name of ['AI01', 'ai01', 'nc-sensor']) {
      const window = WINDOW.map((line) => line.replace('AI01', name));
      const late = goal(...WINDOW, 'MAX AI01.max 1 V', 'SET valve-1 on', ...window);
      const result = await runOn(twin, late, patiently());
      assert.equal([outcomesOf(result), goalOf(result, 'a').checks], [['a failed'], 2], name);
      const early = goal(`MAX ${name}.max 1 V`, ...window);
      assert.equal(codesOf(await dryRun(early)), []);
      const { outcome, diagnostics } = await runOn(twin, early, patiently());
      assert.equal([outcome, diagnostics], ['passed', []], name);
      // The end of the goal ends the window too.
      const open = goal(`MAX ${name}.max 1 V`, 'SET valve-1 on', ...window.slice(0, 2));
      assert.equal(outcomesOf(await runOn(twin, open, patiently())), ['a failed'], name);
    }
  }));

test('LANG-040 a statistic is that of the last window of its sensor, whatever it was sampled as', () =>
  withBridge(async (twin) => {
    const isOpen = () => [...twin.valves.values()].some(Boolean);
    twin.sensors['nc-sensor'] = () => (isOpen() ? 2 : 0.5);
    for (const other of ['ai01', 'nc-sensor'])
      for (const asked of ['AI01', other]) {
        const again = WINDOW.map((line) => line.replace('AI01', other));
        const source = goal(...WINDOW, 'SET valve-1 on', ...again, `CHECK ${asked}.max <= 1 V`);
        const result = await runOn(twin, source, patiently());
        assert.equal(outcomesOf(result), ['a failed'], `${other}, ${asked}`);
        assert.is(Object.keys(result.variables).filter((name) => name.endsWith('.max')).length, 1);
      }
  }));

test('LANG-038 bounds to come keep their order, also beside names that only the run itself can determine', () => {
  const planned = ['open', 'v1', 'v2', 'open', 'v1'].map(
    (name) =>
      ({ op: 'bound', form: 'MAX', subject: { kind: 'unknown', name } }) as unknown as BoundInstruction,
  );
  const fixed = ({ subject }: BoundInstruction) => (subject.name === 'open' ? undefined : subject.name);
  const book = new BoundBook(planned, fixed);
  const coming = (key: string, openKey: string) =>
    [...book.coming(key, () => openKey)].map((one) => planned.indexOf(one));
  assert.equal(
    [coming('v1', 'v9'), coming('v1', 'v1'), coming('v9', 'v9')],
    [
      [1, 4],
      [0, 1, 3, 4],
      [0, 3],
    ],
  );
  for (const [index, key] of [
    [0, 'v1'],
    [1, 'v1'],
  ] as const) {
    const [instruction] = planned.slice(index);
    if (instruction)
      book.declare({
        instruction,
        subject: instruction.subject,
        key,
        low: undefined,
        high: { value: 1 },
        met: false,
      });
  }
  assert.equal([coming('v1', 'v1'), coming('v2', 'v9')], [[3, 4], [2]]);
});

/** Counts how often a name of the rig is looked up. */
class CountingRegistry extends Registry {
  lookups = 0;

  override sensor(name: string): ReturnType<Registry['sensor']> {
    this.lookups++;
    return super.sensor(name);
  }
}

test('LANG-038 twice as many bounds and readings in a goal cost about twice as much', async () => {
  const costOf = async (pairs: number) => {
    const registry = new CountingRegistry({});
    const lines = Array.from({ length: pairs }, (_, n) => [`VAR v${n} 3`, `MAX v${n} 5`, `GET v${n}`]);
    const result = await dryRun(goal(...lines.flat()), { registry });
    assert.is(result.outcome, 'passed');
    return registry.lookups;
  };
  const few = await costOf(100);
  assert.ok((await costOf(200)) < 2.2 * few);
});

test('LANG-038 a dry-run finds a reading for however many bounds come behind it', async () => {
  const bounds = Array.from({ length: 150 }, (_, n) => `MIN AI01 ${n / 100} V`);
  const result = await dryRun(goal('GET AI01', ...bounds));
  assert.equal([result.outcome, goalOf(result, 'a').checks, codesOf(result)], ['passed', 150, []]);
});

test('LANG-038 bounds of other names cost a bound nothing', () => {
  let looks = 0;
  const instruction = { op: 'bound', form: 'MAX' } as unknown as BoundInstruction;
  const costOf = (count: number) => {
    looks = 0;
    const book = new BoundBook([], () => undefined);
    for (let n = 0; n < count; n++) {
      const key = `variable:v${n}`;
      const bound: Bound = {
        instruction,
        subject: { kind: 'variable', name: `v${n}` },
        get key() {
          looks++;
          return key;
        },
        low: undefined,
        high: { value: 5 },
        met: false,
      };
      book.declare(bound);
      assert.equal(book.activeFor(key), [bound]);
    }
    return looks;
  };
  assert.is(costOf(200), 2 * costOf(100));
});

test.run();
