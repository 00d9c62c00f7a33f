import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import type { TwinEvent } from '../twin-event.ts';
import { errorNames } from './errors.ts';
import { ticKnobs } from './knobs.ts';
import { TicTwin } from './twin.ts';
import { decodeVariables } from './variables.ts';

const test = suite('tic twin');

function bench(options: { seed?: number; vinMv?: () => number } = {}) {
  const clock = new SteppedClock();
  const events: TwinEvent[] = [];
  const twin = new TicTwin({
    clock,
    random: seededRandom(options.seed ?? 1),
    ...(options.vinMv ? { vinMv: options.vinMv } : {}),
    listener: (event) => events.push(event),
  });
  /** Hex of the data stage; undefined is a STALL. */
  const send = (packet: string): string | undefined => {
    const view = new DataView(bytesOf(packet).buffer);
    const answer = twin.control({
      requestType: view.getUint8(0),
      request: view.getUint8(1),
      value: view.getUint16(2, true),
      index: view.getUint16(4, true),
      length: view.getUint16(6, true),
    });
    return answer && hexOf(answer);
  };
  const variables = () => decodeVariables(bytesOf(send('C0 A1 00 00 00 00 5A 00') ?? ''));
  const errors = () => errorNames(variables().errorStatus);
  const go = (...packets: string[]) => {
    for (const packet of packets) assert.is(send(packet), '', packet);
  };
  const motions = () => events.flatMap((event) => (event.kind === 'motion' ? [event] : []));
  return { clock, twin, events, send, variables, errors, go, motions };
}

const ENERGIZE = '40 85 00 00 00 00 00 00';
const EXIT = '40 83 00 00 00 00 00 00';
const DEENERGIZE = '40 86 00 00 00 00 00 00';
const HALT = '40 89 00 00 00 00 00 00';
const ALIVE = '40 8C 00 00 00 00 00 00';
const FAST = '40 E6 80 96 98 00 00 00';
const FORWARD_500 = '40 E0 F4 01 00 00 00 00';
const REVERSE_500 = '40 E0 0C FE FF FF 00 00';
const RUN = '40 E3 80 96 98 00 00 00';
const HOME_REVERSE = '40 97 00 00 00 00 00 00';

test('DEV-045 it answers the documented bytes', () => {
  const { send } = bench();
  assert.is(send('C0 A1 00 00 33 00 02 00'), 'C0 5D');
  assert.is(send('C0 A8 00 00 09 00 02 00'), 'E8 03');
  assert.is(send('C0 A1 00 00 00 00 5A 00')?.split(' ').length, 90);
  assert.is(send('C0 A2 00 00 04 00 04 00'), '80 00 00 00');
});

test('DEV-045 an unknown request is a STALL', () => {
  const { send } = bench();
  const unknown = [
    '40 84 00 00 00 00 00 00',
    'C0 20 00 00 00 00 10 00',
    'C0 A1 00 00 00 00 81 00',
    '40 97 02 00 00 00 00 00',
  ];
  for (const packet of unknown) assert.is(send(packet), undefined, packet);
});

test('DEV-045 it has every knob of the table', () => {
  const listed = [
    'vin_mv',
    'forward_limit',
    'reverse_limit',
    'driver_error',
    'no_motion',
    'kill_switch',
    'command_timeout_ms',
    'unplug',
    'firmware',
  ];
  for (const knob of listed) assert.ok(knob in ticKnobs(), knob);
});

test('after its power came it holds in safe start; energize and exit safe start make it normal', () => {
  const { variables, errors, go } = bench();
  assert.equal(
    [variables().state, variables().energized, variables().positionUncertain],
    ['softError', true, true],
  );
  assert.equal(errors(), ['safe_start_violation']);
  go(ENERGIZE, EXIT);
  assert.is(variables().state, 'normal');
  go(DEENERGIZE);
  assert.equal([variables().state, variables().energized], ['deenergized', false]);
});

test('a motion is exact whenever it is asked: 500 steps at 400 step/s2', async () => {
  const { clock, twin, go, variables } = bench();
  go(ENERGIZE, EXIT, FAST, FORWARD_500);
  assert.is(twin.motion.position, 0);
  const halfMs = 1000 * Math.sqrt(500 / 400);
  await clock.advance(halfMs / 2);
  go(ALIVE);
  await clock.advance(halfMs / 2);
  assert.is(twin.motion.position, 250);
  assert.ok(Math.abs(twin.motion.velocity - Math.sqrt(200_000)) < 1e-6);
  go(ALIVE);
  await clock.advance(halfMs / 2);
  go(ALIVE);
  await clock.advance(halfMs / 2);
  assert.equal([variables().position, variables().velocity, variables().state], [500, 0, 'normal']);
});

test('DEV-047 how often it is asked changes nothing', async () => {
  const run = async (stepMs: number) => {
    const { clock, twin, go } = bench();
    go(ENERGIZE, EXIT, FAST, FORWARD_500);
    for (let ms = 0; ms < 700; ms += stepMs) {
      await clock.advance(stepMs);
      void twin.motion;
    }
    return twin.motion;
  };
  assert.equal(await run(7), await run(700));
});

test('motion events report when motion begins and ends, at the moment it does, unasked', async () => {
  const { clock, twin, go, motions } = bench();
  twin.knobs.patch({ command_timeout_ms: 0 });
  go(ENERGIZE, EXIT, FAST);
  const origin = clock.monotonic();
  const ends: number[] = [];
  go(FORWARD_500);
  assert.equal(motions().at(-1), { kind: 'motion', position: 0, velocity: 0, energized: true });
  while (motions().length < 2) {
    await clock.advance(1);
    ends[0] = clock.monotonic() - origin;
  }
  assert.is(motions().at(-1)?.position, 500);
  assert.ok(Math.abs((ends[0] ?? 0) - 2000 * Math.sqrt(500 / 400)) <= 1);
  assert.is(clock.pending, 0);
});

test('a host that falls silent: the command timeout stops the motor within its time, with nobody asking', async () => {
  const { clock, twin, go, motions, errors } = bench();
  go(ENERGIZE, EXIT, FAST, '40 EA FF FF FF 7F 00 00', '40 E9 FF FF FF 7F 00 00', RUN);
  await clock.advance(999);
  assert.ok(twin.motion.velocity > 900);
  await clock.advance(2);
  assert.is(motions().at(-1)?.velocity, 0);
  assert.is(twin.motion.velocity, 0);
  assert.is(twin.motion.energized, true);
  assert.equal(errors(), ['command_timeout', 'safe_start_violation']);
});

test('after a command timeout 8C alone moves nothing while safe start is enabled, and goes on while it is not', async () => {
  for (const safe of [true, false]) {
    const { clock, twin, go } = bench();
    twin.knobs.patch({ safe_start: safe });
    go(ENERGIZE, EXIT, FAST, RUN);
    await clock.advance(5000);
    assert.is(twin.motion.velocity, 0);
    go(ALIVE);
    await clock.advance(300);
    assert.is(twin.motion.velocity > 0, !safe);
  }
});

test('exit safe start holds the violation off for 200 ms', async () => {
  const { clock, errors, go } = bench();
  go(DEENERGIZE, EXIT);
  await clock.advance(199);
  assert.equal(errors(), ['intentionally_deenergized']);
  await clock.advance(1);
  assert.equal(errors(), ['intentionally_deenergized', 'safe_start_violation']);
});

test('the forward limit blocks positive motion at once and lets the other pass', async () => {
  const { clock, twin, go, variables } = bench();
  go(ENERGIZE, EXIT, FAST, FORWARD_500);
  await clock.advance(500);
  assert.ok(twin.motion.velocity > 100);
  twin.knobs.patch({ forward_limit: true });
  assert.is(twin.motion.velocity, 0);
  assert.ok(variables().forwardLimit && variables().positionUncertain);
  go(ALIVE, REVERSE_500);
  await clock.advance(100);
  assert.ok(twin.motion.velocity < 0);
});

test('a switch at a place stops the motor there, to the microstep', async () => {
  const { clock, twin, go, variables } = bench();
  twin.knobs.patch({ forward_limit_at: 300, command_timeout_ms: 0 });
  go(ENERGIZE, EXIT, FAST, FORWARD_500);
  await clock.advance(5000);
  assert.is(twin.motion.position, 300);
  assert.ok(variables().forwardLimit);
  go(REVERSE_500);
  await clock.advance(5000);
  assert.is(twin.motion.position, -500);
  assert.not.ok(variables().forwardLimit);
});

test('both limits at once block both ways', async () => {
  const { clock, twin, go, variables } = bench();
  twin.knobs.patch({ forward_limit: true, reverse_limit: true });
  go(ENERGIZE, EXIT, FAST, '40 EC 00 00 00 00 00 00', FORWARD_500);
  await clock.advance(400);
  go(REVERSE_500);
  await clock.advance(400);
  assert.is(twin.motion.position, 0);
  assert.is(variables().positionUncertain, false, 'what never moved has lost no step');
});

test('homing goes to the switch, leaves it, and calls the place 0; without a switch it never ends', async () => {
  const { clock, twin, go, variables } = bench();
  twin.knobs.patch({ reverse_limit_at: -250, command_timeout_ms: 0 });
  go(ENERGIZE, EXIT, HOME_REVERSE);
  assert.ok(variables().homing);
  await clock.advance(10_000);
  assert.equal(
    [variables().homing, variables().positionUncertain, variables().position, variables().velocity],
    [false, false, 0, 0],
  );
  assert.is(twin.motion.position, -249);
  twin.knobs.patch({ reverse_limit_at: null });
  go(HOME_REVERSE);
  await clock.advance(100_000);
  assert.ok(variables().homing && twin.motion.velocity < 0);
});

test('low VIN and a driver error take the current away', async () => {
  for (const patch of [{ vin_mv: 5000 }, { driver_error: 'over_current' }]) {
    const { clock, twin, go, variables } = bench();
    go(ENERGIZE, EXIT, FAST, RUN);
    await clock.advance(500);
    twin.knobs.patch(patch);
    await clock.advance(260);
    assert.equal([twin.motion.velocity, twin.motion.energized, variables().state], [0, false, 'reset']);
  }
});

test('12 V is not low for the chip', async () => {
  const { clock, twin, errors } = bench();
  twin.knobs.patch({ vin_mv: 8000 });
  await clock.advance(1000);
  assert.equal(errors().includes('low_vin'), false);
});

test('a driver error stays latched until it is cleared, by command or after 0.5 s', async () => {
  const { clock, twin, errors, go } = bench();
  twin.knobs.patch({ driver_error: 'over_temperature' });
  twin.knobs.patch({ driver_error: 'none' });
  assert.ok(errors().includes('motor_driver_error'));
  await clock.advance(500);
  assert.not.ok(errors().includes('motor_driver_error'));
  twin.knobs.patch({ driver_error: 'over_temperature' });
  twin.knobs.patch({ driver_error: 'none' });
  go('40 8A 00 00 00 00 00 00');
  assert.not.ok(errors().includes('motor_driver_error'));
});

test('the kill switch slows the motor down to a stop', async () => {
  const { clock, twin, go, errors } = bench();
  go(ENERGIZE, EXIT, FAST, RUN);
  await clock.advance(500);
  twin.knobs.patch({ kill_switch: true });
  assert.ok(twin.motion.velocity > 0);
  await clock.advance(500);
  assert.is(twin.motion.velocity, 0);
  assert.ok(errors().includes('kill_switch'));
});

test('with no_motion it takes every command and makes no step', async () => {
  const { clock, twin, go, variables } = bench();
  twin.knobs.patch({ no_motion: true });
  go(ENERGIZE, EXIT, FAST, FORWARD_500);
  await clock.advance(900);
  assert.equal([twin.motion.position, variables().velocity, variables().state], [0, 0, 'normal']);
});

test('a halt stops at once, and the counter may be set without moving the shaft', async () => {
  const { clock, twin, go } = bench();
  go(ENERGIZE, EXIT, FAST, FORWARD_500);
  await clock.advance(900);
  go(HALT);
  const { position, velocity } = twin.motion;
  assert.is(velocity, 0);
  assert.ok(position > 100);
  go('40 EC 07 00 00 00 00 00');
  assert.equal([twin.motion.position, twin.counter], [position, 7]);
});

test('DEV-026 writing settings is carried out and written down, so that a test can see that nobody does it', () => {
  const { events, go, send } = bench();
  go('40 13 05 00 41 00 00 00', '40 10 00 00 00 00 00 00', '40 FF 00 00 00 00 00 00');
  assert.is(send('C0 A8 00 00 41 00 01 00'), '05');
  assert.is(events.filter((event) => event.kind === 'note' && /must never/.test(event.note)).length, 3);
});

test('firmware before 1.06 knows no limits and no homing', () => {
  const { twin, send, variables } = bench();
  twin.knobs.patch({ firmware: '1.05', forward_limit: true });
  assert.is(twin.identity.bcdDevice, 0x0105);
  assert.not.ok(variables().forwardLimit);
  assert.is(send(HOME_REVERSE), undefined);
});

test("the supply is the plant's unless a knob sets it", () => {
  let vinMv = 23_456;
  const { send, twin } = bench({ vinMv: () => vinMv });
  assert.is(send('C0 A1 00 00 33 00 02 00'), 'A0 5B');
  vinMv = 24_000;
  assert.is(send('C0 A1 00 00 33 00 02 00'), 'C0 5D');
  twin.knobs.patch({ vin_mv: 12_000 });
  assert.is(send('C0 A1 00 00 33 00 02 00'), 'E0 2E');
});

test('a fault is done to one transfer: refused, unanswered, late, short, another block', () => {
  const { twin, send, variables } = bench();
  twin.faultOnce(
    { stall: true },
    { silent: true },
    { late_ms: 40 },
    { short: 3 },
    { corrupt: 'ones' },
    { stall: true },
  );
  assert.is(send('C0 A1 00 00 33 00 02 00'), undefined);
  assert.is(send('C0 A1 00 00 33 00 02 00'), undefined);
  assert.is(twin.answerDelayMs, Number.POSITIVE_INFINITY);
  assert.is(send('C0 A1 00 00 33 00 02 00'), 'C0 5D');
  assert.is(twin.answerDelayMs, 40);
  assert.is(send('C0 A1 00 00 00 00 5A 00'), '04 03 80');
  assert.is(send('C0 A1 00 00 33 00 02 00'), 'FF FF');
  assert.is(send(DEENERGIZE), undefined);
  assert.is(variables().energized, true);
});

test('reset gives the device as after power-up, with knobs and faults at rest and nothing pending', async () => {
  const { clock, twin, go, variables } = bench();
  twin.faultEach(() => ({}));
  go(ENERGIZE, EXIT, FAST, RUN, '40 13 05 00 41 00 00 00');
  await clock.advance(500);
  twin.knobs.patch({ vin_mv: 20_000 });
  twin.reset();
  assert.equal(twin.motion, { position: 0, velocity: 0, energized: true });
  assert.equal([variables().vinMv, variables().upTimeMs, variables().maxSpeed], [24_000, 0, 2_000_000]);
  assert.is(clock.pending, 0);
});

test('DEV-047 the same seed gives the same faults', () => {
  const run = (seed: number) => {
    const { twin, send } = bench({ seed });
    twin.faultOnce({ corrupt: 'noise' });
    return send('C0 A1 00 00 00 00 5A 00');
  };
  assert.is(run(5), run(5));
  assert.is.not(run(5), run(6));
});

test.run();
