import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { ConfigError } from '../../lib/config/config-error.ts';
import type { PumpPort } from '../../rig/hardware/ports.ts';
import { RigError } from '../../rig/hardware/rig-error.ts';
import {
  type Answer,
  startTestBridge,
  type TestBridge,
  type TestBridgeOptions,
} from '../../test-kit/services/bridge.ts';
import { type BenchRig, openBenchRig } from '../../test-kit/services/rig.ts';
import { suite } from '../../test-kit/suite.ts';
import { buildRig } from './build-rig.ts';

const test = suite('interlocks and limits in the bridge');

const INTERLOCKS = `
interlocks:
  - id: pump-outlet
    reason: the pump must not run against closed valves
    while: {pump-main: on}
    require_any: {valve-1: open, valve-2: open, valve-3: open}
  - id: lung-path
    reason: the lung must not move against a closed circuit
    while: {lung-main: moving}
    require_all: {valve-nc: open}
`;
const running: TestBridge[] = [];

async function start(options: TestBridgeOptions = {}): Promise<TestBridge> {
  const bridge = await startTestBridge({ yaml: INTERLOCKS, ...options });
  running.push(bridge);
  return bridge;
}

test.after(async () => {
  await Promise.all(running.map((bridge) => bridge.shutDown('test_end')));
});

const set = (bridge: TestBridge, what: string): Promise<Answer> =>
  bridge.call(`POST /api/v1/hardware/${what}`);
const done = async (bridge: TestBridge, what: string) => {
  const answer = await set(bridge, what);
  assert.is(answer.status, 200, `${what}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const isPumpOn = async (bridge: TestBridge) => (await bridge.bridge.rig.pump.read()).powerPercent > 0;

test('an interlock refuses with 409, its id and reason, the missing states and what would allow it', async () => {
  const bridge = await start();
  const { status, body } = await set(bridge, 'pump?power_pct=20');
  assert.equal([status, body.code, body.rule], [409, 'interlock', 'interlock']);
  assert.equal(body.interlocks, [
    {
      id: 'pump-outlet',
      reason: 'the pump must not run against closed valves',
      missing: ['valve-1', 'valve-2', 'valve-3'].map((id) => ({ id, required: 'open', known: 'closed' })),
    },
  ]);
  assert.match(String(body.detail), 'pump-main on is refused by the interlock pump-outlet');
  assert.is(body.remedy, 'set valve-1 open or valve-2 open or valve-3 open first');
  assert.not(await isPumpOn(bridge));
  await done(bridge, 'valve/valve-3?value=true');
  await done(bridge, 'pump?power_pct=20');
  assert.ok(await isPumpOn(bridge));
});

test('closing a valve that is not the last one trips nothing; the last one switches the pump off and says so', async () => {
  const bridge = await start();
  await done(bridge, 'valve/valve-1?value=true');
  await done(bridge, 'valve/valve-2?value=true');
  await done(bridge, 'pump?power_pct=20');
  assert.is((await done(bridge, 'valve/valve-1?value=false')).tripped, undefined);
  assert.ok(await isPumpOn(bridge));
  assert.equal((await done(bridge, 'valve/valve-2?value=false')).tripped, ['pump-outlet']);
  assert.not(await isPumpOn(bridge));
  const state = (await bridge.call('GET /api/v1/state')).body as Record<string, Record<string, unknown>>;
  assert.equal([state.pump_main?.currentValue, state.pump_main?.targetValue], [0, 0]);
  assert.is((await set(bridge, 'pump?power_pct=20')).body.code, 'interlock', 'the pump is known to be off');
});

test('the lung needs its valve; one that has ended by itself is not called tripped', async () => {
  const clock = new SteppedClock();
  const bridge = await start({ clock });
  assert.is((await set(bridge, 'lung?cycles=1')).body.code, 'interlock');
  await done(bridge, 'valve/valve-nc?value=true');
  await done(bridge, 'lung?cycles=1');
  assert.equal((await done(bridge, 'valve/valve-nc?value=false')).tripped, ['lung-path']);
  assert.not((await bridge.bridge.rig.lung.read()).moving);
  await done(bridge, 'valve/valve-nc?value=true');
  await done(bridge, 'lung?cycles=1');
  await clock.advance(60_000);
  assert.is((await done(bridge, 'valve/valve-nc?value=false')).tripped, undefined);
});

test('the status of the lung counts, not its last command', async () => {
  const clock = new SteppedClock();
  const bridge = await start({
    clock,
    yaml: 'interlocks: [{id: still, reason: r, while: {pump-main: on}, require_all: {lung-main: stopped}}]',
  });
  await done(bridge, 'lung?cycles=1');
  const refused = await set(bridge, 'pump?power_pct=5');
  assert.equal([refused.body.code, refused.body.remedy], ['interlock', 'set lung-main stopped first']);
  await clock.advance(60_000);
  await done(bridge, 'pump?power_pct=5');
  const lung = await set(bridge, 'lung?cycles=1');
  assert.equal([lung.body.code, lung.body.remedy], ['interlock', 'set pump-main off first']);
});

test('a pump command under way when its valve closes is stopped too', async () => {
  let release = () => {};
  const bridge = await start({
    buildRig: (surroundings) => {
      const rig = buildRig(surroundings);
      const pump: PumpPort = {
        ...rig.pump,
        setPower: async (percent, signal) => {
          if (percent > 0)
            await new Promise<void>((resolve, reject) => {
              release = resolve;
              signal?.addEventListener('abort', () => reject(signal.reason));
            });
          return rig.pump.setPower(percent, signal);
        },
      };
      return new Proxy(rig, { get: (target, key) => (key === 'pump' ? pump : Reflect.get(target, key)) });
    },
  });
  await done(bridge, 'valve/valve-1?value=true');
  const pump = set(bridge, 'pump?power_pct=20');
  for (let i = 0; i < 500 && bridge.bridge.rules.tripsOf('valve-1').length === 0; i++)
    await systemClock.sleep(2);
  assert.equal((await done(bridge, 'valve/valve-1?value=false')).tripped, ['pump-outlet']);
  const { status, body } = await pump;
  assert.equal([status, body.code, body.rule], [409, 'superseded', 'safe_state']);
  release();
  assert.not(await isPumpOn(bridge));
});

test('when the pump cannot be confirmed off, the close is not a success and the safe state runs', async () => {
  let stuck = false;
  const bridge = await start({
    buildRig: (surroundings) => {
      const rig = buildRig(surroundings);
      const pump: PumpPort = {
        ...rig.pump,
        setPower: async (percent) => {
          if (stuck && percent === 0) throw new RigError('device_timeout', 'pump-motor', 'no answer');
          return rig.pump.setPower(percent);
        },
      };
      return new Proxy(rig, { get: (target, key) => (key === 'pump' ? pump : Reflect.get(target, key)) });
    },
  });
  await done(bridge, 'valve/valve-1?value=true');
  await done(bridge, 'pump?power_pct=20');
  stuck = true;
  const { status, body } = await set(bridge, 'valve/valve-1?value=false');
  assert.equal(
    [status, body.code, body.rule, body.tripped],
    [504, 'device_timeout', 'interlock', ['pump-outlet']],
  );
  assert.match(String(body.remedy), 'safe state');
  assert.ok(bridge.bridge.safeState.running || bridge.bridge.safeState.last?.reason === 'interlock_not_kept');
});

test('SVC-056 a pump that does not answer keeps its valve open no longer than a safe state would wait for it', async () => {
  const clock = new SteppedClock();
  let hangs = false;
  const bridge = await start({
    clock,
    buildRig: (surroundings) => {
      const rig = buildRig(surroundings);
      const pump: PumpPort = {
        ...rig.pump,
        setPower: (percent) => (hangs ? new Promise(() => {}) : rig.pump.setPower(percent)),
      };
      return new Proxy(rig, { get: (target, key) => (key === 'pump' ? pump : Reflect.get(target, key)) });
    },
  });
  await done(bridge, 'valve/valve-1?value=true');
  await done(bridge, 'pump?power_pct=20');
  hangs = true;
  void bridge.bridge.makeActuatorSafe('valve-1', 'closing valve-1', () =>
    bridge.bridge.rig.valves.set(0, false),
  );
  const isOpen = async () => (await bridge.bridge.rig.valves.read())[0];
  await clock.advance(799);
  assert.is(await isOpen(), true);
  await clock.advance(1);
  assert.is(await isOpen(), false);
  hangs = false;
});

test('after the safe state what its steps confirmed is known to be off, and the rest is unknown', async () => {
  let fails = false;
  const bridge = await start({
    buildRig: (surroundings) => {
      const rig = buildRig(surroundings);
      const steps = {
        ...rig.safeStateSteps,
        pump_zero: (signal: AbortSignal) =>
          fails ? Promise.reject(new Error('no answer')) : rig.safeStateSteps.pump_zero(signal),
      };
      return new Proxy(rig, {
        get: (target, key) => (key === 'safeStateSteps' ? steps : Reflect.get(target, key)),
      });
    },
  });
  const closingTrips = async () => {
    await done(bridge, 'valve/valve-1?value=true');
    return (await done(bridge, 'valve/valve-1?value=false')).tripped;
  };
  await done(bridge, 'valve/valve-1?value=true');
  await done(bridge, 'pump?power_pct=20');
  await done(bridge, 'safe-state?reason=preparation');
  assert.is(await closingTrips(), undefined, 'the pump is known to be off');
  fails = true;
  assert.is((await set(bridge, 'safe-state?reason=preparation')).status, 503);
  assert.equal(await closingTrips(), ['pump-outlet'], 'the pump may be on');
  assert.is(await closingTrips(), undefined, 'the trip has confirmed it');
  fails = false;
});

test('safe-state commands pass whatever the interlocks say', async () => {
  const bridge = await start();
  for (const what of [
    'valve/valve-1?value=false',
    'pump?power_pct=0',
    'lung/stop',
    'lung/disable',
    'safe-state?reason=preparation',
  ])
    assert.is((await done(bridge, what)).tripped, undefined, what);
});

test('an interlock with a name that this rig does not have stops the start', async () => {
  const yaml = 'interlocks: [{id: a, reason: r, while: {pump-mian: on}, require_any: {valve-1: open}}]';
  try {
    await startTestBridge({ yaml });
    assert.unreachable();
  } catch (thrown) {
    assert.instance(thrown, ConfigError);
    assert.match((thrown as ConfigError).message, 'did you mean pump-main?');
  }
});

test('SVC-029 a limit of svc.yaml is 422 naming its key, never clamped; below it all is as before', async () => {
  const bridge = await start({
    yaml: 'limits: {pump: {max_power_pct: 60}, lung: {max_steps: 400, max_speed: 2000000, max_cycles: 3}}',
  });
  const power = await set(bridge, 'pump?power_pct=60.01');
  const errors = power.body.errors as Record<string, unknown>[];
  assert.equal([power.status, power.body.code, power.body.rule], [422, 'invalid_parameter', 'limit']);
  assert.equal([errors.length, errors[0]?.field, errors[0]?.value], [1, 'power_pct', '60.01']);
  for (const text of [power.body.remedy, errors[0]?.message, power.body.detail])
    assert.match(String(text), 'limits.pump.max_power_pct in svc.yaml');
  const flow = await set(bridge, 'pump?flow_lpm=6.5');
  assert.match(
    String(flow.body.detail),
    'flow_lpm must be 0..6 l/min, limits.pump.max_power_pct in svc.yaml is 60',
  );
  assert.is((await done(bridge, 'pump?power_pct=60')).power_pct, 60);
  const lung = await set(bridge, 'lung?steps=401&speed=2000000&cycles=4');
  const fields = (lung.body.errors as Record<string, unknown>[]).map(({ field }) => field);
  assert.equal([lung.status, lung.body.rule, fields], [422, 'limit', ['steps', 'cycles']]);
  assert.match(String(lung.body.detail), 'limits.lung.max_steps in svc.yaml is 400');
  assert.is((await set(bridge, 'lung')).status, 422, 'the defaults of the route are not above the limits');
  await done(bridge, 'lung?steps=400&speed=2000000&cycles=3');
});

test('every refusal says which rule refused it and what would allow it', async () => {
  const bridge = await start({ env: { SVC_REQUIRE_LEASE: '1' } });
  const rule = ({ body }: Answer) => {
    assert.ok(typeof body.remedy === 'string' && body.remedy.length > 20, JSON.stringify(body));
    return [body.code, body.rule];
  };
  const open = 'POST /api/v1/hardware/valve/valve-1?value=true';
  assert.equal(rule(await bridge.call(open)), ['lease_required', 'lease']);
  const lease = String((await bridge.call('POST /api/v1/lease', { body: { owner: 'a' } })).body.lease_id);
  assert.equal(rule(await bridge.call(open)), ['lease_held', 'lease']);
  await bridge.call(`DELETE /api/v1/lease/${lease}`);
  assert.equal(rule(await bridge.call(open, { lease })), ['lease_lost', 'lease']);
  assert.equal(rule(await bridge.call(`POST /api/v1/lease/${lease}/renew`)), ['lease_gone', 'lease']);
  const low = await start({ readThrottled: async () => 1 });
  assert.equal(rule(await low.call(open)), ['undervoltage', 'supply']);
  assert.equal(rule(await low.call('POST /api/v1/hardware/pump?power_pct=101')), [
    'invalid_parameter',
    'limit',
  ]);
});

test('a refusal during a safe state reports why it runs', async () => {
  const clock = new SteppedClock();
  let finish = () => {};
  const bridge = await start({
    clock,
    yaml: '',
    env: { SVC_MANUAL_HOLD_S: '5' },
    buildRig: (surroundings) => {
      const rig = buildRig(surroundings);
      const steps = {
        ...rig.safeStateSteps,
        pump_zero: () =>
          new Promise<{ status: 'simulated'; verified: false; detail: string }>((resolve) => {
            finish = () => resolve({ status: 'simulated', verified: false, detail: 'slow' });
          }),
      };
      return new Proxy(rig, {
        get: (target, key) => (key === 'safeStateSteps' ? steps : Reflect.get(target, key)),
      });
    },
  });
  const ended = async (reason: string) => {
    for (let i = 0; i < 500 && bridge.bridge.safeState.last?.reason !== reason; i++) {
      finish();
      await systemClock.sleep(2);
    }
  };
  const open = 'POST /api/v1/hardware/valve/valve-1?value=true';
  await bridge.call(open);
  await clock.advance(5000);
  const held = await bridge.call(open);
  assert.equal([held.status, held.body.rule], [409, 'manual_hold']);
  assert.match(String(held.body.remedy), 'SVC_MANUAL_HOLD_S');
  await ended('manual_hold_ended');
  const safe = bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
  for (let i = 0; i < 500 && !bridge.bridge.safeState.running; i++) await systemClock.sleep(2);
  const refused = await bridge.call(open);
  assert.equal([refused.body.code, refused.body.rule], ['safe_state_in_progress', 'safe_state']);
  await ended('preparation');
  await safe;
  const last = bridge.shutDown('test_end');
  await ended('test_end');
  await last;
});

let bench: BenchRig;
test.before(async () => {
  bench = await openBenchRig();
});
test.after(() => bench.close());

async function onTwins(): Promise<TestBridge> {
  const bridge = await startTestBridge({ yaml: bench.yaml + INTERLOCKS, env: { SVC_HARDWARE_MODE: 'real' } });
  running.push(bridge);
  bench.moves();
  return bridge;
}

test('SVC-056 on the twins: the pump waits for its valve, and stops before it closes', async () => {
  const bridge = await onTwins();
  assert.is((await set(bridge, 'pump?power_pct=20')).body.code, 'interlock');
  assert.equal(bench.moves(), []);
  await done(bridge, 'valve/valve-2?value=true');
  await done(bridge, 'pump?power_pct=20');
  assert.is(bench.bench.outputs.pump.duty, 51);
  assert.equal((await done(bridge, 'valve/valve-2?value=false')).tripped, ['pump-outlet']);
  assert.equal([bench.bench.outputs.pump.duty, bench.bench.outputs.coils.includes(true)], [0, false]);

  // The cause first, whatever the watch is reading at that moment.
  for (let n = 0; n < 12; n++) {
    await done(bridge, 'valve/valve-2?value=true');
    await done(bridge, 'pump?power_pct=20');
    bench.moves();
    await systemClock.sleep(17 * n);
    assert.equal((await done(bridge, 'valve/valve-2?value=false')).tripped, ['pump-outlet']);
    const moves = bench.moves();
    assert.equal([moves[0], moves.indexOf('coil 1 off') > 0], ['duty 0 on', true], moves.join(', '));
  }

  // A valve that echoes and does not move is not known to be open.
  await bench.bench.setKnobs('modbus-io', { coil_stuck: [2] });
  assert.is((await set(bridge, 'valve/valve-3?value=true')).body.code, 'valve_unverified');
  const { body } = await set(bridge, 'pump?power_pct=20');
  const [interlock] = body.interlocks as { missing: { id: string; known: string }[] }[];
  assert.is(interlock?.missing.find((one) => one.id === 'valve-3')?.known, 'unknown');
  assert.match(String(body.remedy), 'GET /api/v1/hardware/valves');
  await bridge.call('GET /api/v1/hardware/valves');
  const again = (await set(bridge, 'pump?power_pct=20')).body.interlocks as (typeof interlock)[];
  assert.is(
    again[0]?.missing.find((one) => one.id === 'valve-3')?.known,
    'closed',
    'a read-back makes it known',
  );
  await bench.bench.setKnobs('modbus-io', { coil_stuck: [] });

  // Modes of the outputs.
  await bench.bench.setKnobs('modbus-io', { modes: [0, 1, 0, 0, 0, 0, 0, 0], unplugged: true });
  const standing = () => bridge.bridge.rig.components.find((one) => one.id === 'modbus-io')?.known().status;
  for (let i = 0; i < 1000 && standing() === 'ok'; i++) await systemClock.sleep(10);
  await bench.bench.setKnobs('modbus-io', { unplugged: false });
  for (let i = 0; i < 1000 && standing() !== 'ok'; i++) await systemClock.sleep(10);
  const mode = (await set(bridge, 'valve/valve-1?value=true')).body;
  assert.equal([mode.code, mode.rule], ['valve_mode_not_normal', 'mode']);
  assert.match(String(mode.remedy), '1000-1007');
});

test.run();
