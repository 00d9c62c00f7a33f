import * as assert from 'uvu/assert';
import { BridgeTwin } from '../../test-kit/scenario/bridge-twin.ts';
import { patiently } from '../../test-kit/scenario/request-paused-clock.ts';
import { dryRun, eventsOf, runOn, withBridge } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import type { EventType, RunEvent } from '../events/event.ts';

const test = suite('events');

const COMMON = ['seq', 't', 'time', 'type', 'goal', 'pos', 'simulated'];
const OPTIONAL = [
  'bench',
  'calibration',
  'rawUnit',
  'resolution',
  'procedure',
  'optional',
  'source',
  'devices',
];

/** Own fields of each type. */
const FIELDS: Readonly<Record<EventType, readonly string[]>> = {
  'run.start': ['scenario', 'file', 'version', 'dialect', 'mode', 'plan'],
  diagnostic: ['diagnostic'],
  'block.start': ['kind', 'name', 'teardown', 'attempt'],
  'block.end': [
    'kind',
    'name',
    'teardown',
    'attempt',
    'outcome',
    'checks',
    'failedChecks',
    'durationMs',
    'message',
  ],
  'step.start': ['number', 'title'],
  'command.start': ['command', 'text'],
  'command.end': ['command', 'text', 'outcome', 'durationMs', 'code', 'message'],
  reading: ['sensor', 'value', 'unit', 'raw', 'at', 'ageMs', 'source'],
  check: ['name', 'kind', 'sensor', 'op', 'low', 'high', 'actual', 'unit', 'outcome', 'message'],
  variable: ['name', 'value', 'unit'],
  actuate: ['target', 'peripheral', 'requested', 'sent', 'unit', 'ok'],
  http: ['method', 'url', 'status', 'ms', 'error'],
  wait: ['ms', 'virtual'],
  sample: ['sensor', 'action', 'value', 'unit', 'stats'],
  log: ['level', 'message'],
  prompt: ['n', 'action', 'message', 'asks', 'choices', 'timeoutMs', 'answer'],
  lease: ['action', 'leaseId', 'ttlMs'],
  'safe-state': ['reason', 'ok', 'steps'],
  'run.end': ['outcome', 'ok', 'judged', 'passed', 'total', 'durationMs'],
};

const EVERYTHING = `
CONFIG open:
  SET valve-1 on
GOAL: Many
  1. First step:
    → Operator.confirm 'Mask on?'
    GET AI01
    SAVE p0
    SAMPLE AI01 START 50ms
    WAIT 120ms
    SAMPLE AI01 STOP
    CHECK AI01 <= 5 V
    LOG 'p0 is $p0'
CONFIG close:
  SET valve-1 off
`;

function requireShape(events: readonly RunEvent[]): void {
  events.forEach((event, index) => {
    assert.is(event.seq, index);
    assert.is(JSON.stringify(event).includes('\n'), false);
    const fields = Object.keys(JSON.parse(JSON.stringify(event)));
    const wanted = [...COMMON, ...FIELDS[event.type]];
    for (const field of wanted) assert.ok(fields.includes(field), `${event.type} lacks ${field}`);
    for (const field of fields)
      assert.ok([...wanted, ...OPTIONAL].includes(field), `${event.type} has an unknown field ${field}`);
    assert.match(event.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    if (index > 0) assert.ok(event.t >= events[index - 1]!.t, `${event.type} goes back in time`);
  });
  assert.is(events[0]?.type, 'run.start');
  assert.is(events.at(-1)?.type, 'run.end');
}

test('LANG-054 every type has its fields and no others, seq has no gaps, NDJSON is valid, in execute', () =>
  withBridge(async (twin) => {
    const seen: RunEvent[] = [];
    const result = await runOn(twin, EVERYTHING, {
      onEvent: (event) => seen.push(event),
      onPrompt: async () => 'yes',
      ...patiently(),
    });
    assert.is(result.outcome, 'passed');
    assert.equal(seen, result.events);
    requireShape(seen);
    const types = new Set(seen.map(({ type }) => type));
    for (const type of Object.keys(FIELDS))
      if (type !== 'diagnostic') assert.ok(types.has(type as EventType), type);
  }));

test('LANG-054 the same holds in a dry-run and for a run that was refused', async () => {
  requireShape((await dryRun(EVERYTHING)).events);
  requireShape((await dryRun('GOAL a:\n  CHEK x\n')).events);
  requireShape((await dryRun('')).events);
  requireShape((await dryRun('GOAL a:\n  CHECK AI01 <= 5 V\n', { mode: 'validate' })).events);
});

test('run.start shows the order of the blocks', async () => {
  const [start] = eventsOf(await dryRun(EVERYTHING), 'run.start');
  assert.equal(start?.plan, [
    { index: 0, kind: 'CONFIG', name: 'open', teardown: false },
    { index: 1, kind: 'GOAL', name: 'Many', teardown: false },
    { index: 2, kind: 'CONFIG', name: 'close', teardown: true },
  ]);
});

test('text output: commands indented, blocks with their verdict, counts in the last line; quiet is the last line', async () => {
  const source = `
CONFIG open:
  SET valve-1 on
GOAL a:
  CHECK AI01 <= 5 V
    ERROR 'too high'
GOAL b:
  SAVE x
GOAL c:
  CHECK AI02 <= 5 V
`;
  const lines: string[] = [];
  await dryRun(source, { sensors: { AI01: 9, AI02: 1 }, out: (line) => lines.push(line) });
  assert.equal(lines, [
    '  [passed] SET valve-1 on',
    '[passed] [CONFIG] open',
    '  [failed] CHECK AI01 <= 5 V = 9 V: too high',
    '[failed] a',
    '  [error] SAVE x: SCN411 SAVE x: nothing has been read in this goal; add GET before it, or name a sensor',
    '[error] b',
    '  [passed] CHECK AI02 <= 5 V = 1 V',
    '[passed] c',
    '2/4 passed, 1 failed, 1 error (simulated, not a test)',
  ]);
  const quiet: string[] = [];
  await dryRun(source, { quiet: true, out: (line) => quiet.push(line) });
  assert.is(quiet.length, 1);
});

test('LANG-064 a bridge in mock mode is refused without --simulated: SCN409, nothing is actuated', () =>
  withBridge(
    async (twin) => {
      const source = 'GOAL a:\n  SET pump 5 l/min\n  CHECK AI01 <= 5 V\n';
      const result = await runOn(twin, source);
      assert.is(result.outcome, 'error');
      assert.match(result.diagnostics.at(-1)?.message ?? '', /--simulated/);
      assert.is(result.diagnostics.at(-1)?.code, 'SCN409');
      assert.is(twin.count('POST', /./), 0);
    },
    { mode: 'mock' },
  ));

test('LANG-064 with --simulated it runs, judges, and is marked everywhere', () =>
  withBridge(
    async (twin) => {
      const lines: string[] = [];
      const source = 'GOAL a:\n  SET pump 5 l/min\n  CHECK AI01 >= 5 V\n';
      const result = await runOn(twin, source, { simulated: true, out: (line) => lines.push(line) });
      assert.equal([result.outcome, result.simulated, result.bench], ['failed', true, false]);
      assert.ok(result.events.every(({ simulated }) => simulated));
      assert.is(lines.at(-1), '0/1 passed, 1 failed (simulated, not a test)');
    },
    { mode: 'mock' },
  ));

test('LANG-064 a bench is used as it is and marked everywhere', () =>
  withBridge(
    async (twin) => {
      const lines: string[] = [];
      const source = 'GOAL a:\n  SET pump 5 l/min\n  CHECK AI01 <= 5 V\n';
      const result = await runOn(twin, source, { out: (line) => lines.push(line) });
      assert.equal([result.outcome, result.simulated, result.bench], ['passed', false, true]);
      assert.ok(result.events.every(({ bench }) => bench === true));
      requireShape(result.events);
      assert.is(lines.at(-1), '1/1 passed (bench, not a test)');
    },
    { bench: true },
  ));

test('LANG-064 require_real refuses bench and simulation', async () => {
  const source = 'GOAL a:\n  CHECK AI01 <= 5 V\n';
  for (const options of [{ bench: true }, { mode: 'mock' as const }])
    await withBridge(async (twin) => {
      const result = await runOn(twin, source, { requireReal: true, simulated: true });
      assert.is(result.outcome, 'error');
      assert.is(result.diagnostics.at(-1)?.code, 'SCN409');
      assert.is(twin.count('POST', /./), 0);
    }, options);
});

test('SVC-008 a service in mock mode runs on a simulation, and asks no lease of a bridge that is or may be none', async () => {
  const source = 'GOAL a:\n  SET pump 5 l/min\n';
  for (const [options, hardware, message] of [
    [{}, {}, 'does not say that it only simulates'],
    [{ bench: true }, {}, 'does not say that it only simulates'],
    [{}, { mode: 'REAL' }, 'does not say that it only simulates'],
    [{ mode: 'mock' }, { mode: 'real' }, 'says mode "mock" of itself and "real" of its hardware'],
    [{ mode: 'mock' }, {}, null],
  ] as const)
    await withBridge(async (twin) => {
      Object.assign(twin.health, hardware);
      const result = await runOn(twin, source, { requireMock: true, simulated: true });
      if (message === null) return assert.is(result.outcome, 'passed');
      assert.is(result.outcome, 'error');
      assert.match(result.diagnostics.at(-1)?.message ?? '', message);
      assert.is(twin.count('POST', /./), 0);
    }, options);
});

test('LANG-064 a bridge that says mock of itself and real of its hardware is refused, also with --simulated', () =>
  withBridge(
    async (twin) => {
      Object.assign(twin.health, { mode: 'real' });
      const result = await runOn(twin, 'GOAL a:\n  SET pump 5 l/min\n', { simulated: true });
      assert.match(result.diagnostics.at(-1)?.message ?? '', 'wait until the bridge has started');
      assert.is(twin.count('POST', /./), 0);
    },
    { mode: 'mock' },
  ));

test('SVC-053 without a guard nothing runs; --without-guard lets a bench run, and nothing but a bench', async () => {
  const source = 'GOAL a:\n  CHECK AI01 <= 5 V\n';
  for (const [options, withoutGuard, outcome, says] of [
    [{ watching: false }, false, 'error', 'no guard is watching'],
    [{ watching: false, bench: true }, false, 'error', '--without-guard'],
    [{ watching: false, bench: true }, true, 'passed', ''],
    [{ watching: false }, true, 'error', 'is not a bench, and --without-guard is for a bench only'],
    [{ watching: true }, true, 'error', 'is not a bench, and --without-guard is for a bench only'],
  ] as const)
    await withBridge(async (twin) => {
      const result = await runOn(twin, source, { withoutGuard });
      assert.is(result.outcome, outcome, says);
      assert.match(result.diagnostics.map(({ message }) => message).join(), says);
      if (outcome === 'error') assert.is(twin.count('POST', /./), 0);
    }, options);
});

test('LANG-064 a single bench reading on a rig that says it is real is refused with require_real, marked without', async () => {
  const source = 'GOAL a:\n  CHECK AI01 <= 5 V\n';
  await withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = { value: 1, bench: true };
    assert.is((await runOn(twin, source, { requireReal: true })).outcome, 'error');
    const result = await runOn(twin, source);
    assert.equal([result.outcome, result.bench], ['passed', true]);
  });
});

test('SVC-050 a rig that is not proven safe: how to leave out a device that cannot be asked, and not one that disobeys', async () => {
  const told = async (statuses: Record<string, string>): Promise<string> => {
    let message = '';
    await withBridge(async (twin) => {
      const components = Object.entries(statuses).map(([id, status]) => [id, { status }]);
      Object.assign(twin.health, { not_safe: 'it', components: Object.fromEntries(components) });
      message = (await runOn(twin, 'GOAL a:\n  CHECK AI01 <= 5 V\n')).diagnostics.at(-1)?.message ?? '';
    });
    return message;
  };
  const well = {
    'modbus-io': 'ok',
    'modbus-io-2': 'held',
    'pump-motor': 'disabled',
    'sensor-adc': 'ok',
    'adc-stack': 'error',
  };
  assert.match(
    await told({ ...well, 'lung-motor': 'timeout' }),
    'repeat svcctl stop. If this rig can do without lung-motor, disconnect it, set enabled: false for it in svc.yaml, and run svcctl config apply',
  );
  const stuck = await told({ ...well, 'lung-motor': 'ok' });
  assert.match(stuck, 'not_safe');
  assert.not.match(stuck, 'enabled: false');
});

test('preflight: a dead bridge, an unhealthy component and a missing one are SCN409, nothing is actuated', async () => {
  const source = 'GOAL a:\n  SET pump 5 l/min\n  CHECK AI01 <= 5 V\n';
  const cases: [name: string, prepare: (twin: BridgeTwin) => void, outcome: string][] = [
    [
      'bridge not ok',
      (twin) => twin.fail('GET', /\/health$/, { kind: 'answer', status: 200, body: { ok: false } }),
      'error',
    ],
    ['no health', (twin) => twin.fail('GET', /^\/health$/, { kind: 'drop' }), 'error'],
    ['motor error', (twin) => Object.assign(twin.health, { motor: 'error: no answer' }), 'error'],
    ['motor missing', (twin) => Object.assign(twin.health, { motor: undefined }), 'error'],
    ['adc timeout', (twin) => Object.assign(twin.health, { sensor_adc: 'timeout' }), 'error'],
    ['not safe', (twin) => Object.assign(twin.health, { not_safe: 'valves_verify: still open' }), 'error'],
    ['odd mode', (twin) => Object.assign(twin.health, { mode: 'demo' }), 'error'],
    [
      'an unused lung',
      (twin) => Object.assign(twin.health, { lung: 'error: no answer', ok: false }),
      'passed',
    ],
  ];
  for (const [name, prepare, outcome] of cases)
    await withBridge(async (twin) => {
      prepare(twin);
      const result = await runOn(twin, source);
      assert.is(result.outcome, outcome, name);
      if (outcome === 'passed') return;
      assert.ok(
        result.diagnostics.some(({ code }) => code === 'SCN409'),
        name,
      );
      assert.is(twin.count('POST', /./), 0, name);
    });
  const gone = await BridgeTwin.start();
  const { url } = gone;
  await gone.close();
  const result = await runOn(gone, source, { firmwareUrl: url });
  assert.is(result.outcome, 'error');
  assert.match(result.diagnostics.at(-1)?.message ?? '', /connection refused/);
});

test.run();
