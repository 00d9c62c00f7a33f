import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { UsbPipe } from '../../transports/memory/usb-pipe.ts';
import type { DeviceError } from '../device-error.ts';
import { TicT249 } from './driver.ts';
import { setupPacket } from './requests.ts';

const test = suite('tic driver, packet by packet');

/** What is sent, and the data stage that comes; `-` is a STALL. */
type Exchange = [sent: string, received?: string];

/** A block with the offsets of section 4. Without fields: de-energized, at rest, 24 V, no error but that. */
function block(fields: Record<number, string> = {}): string {
  const bytes = new Uint8Array(90);
  const idle = {
    0: '02 00 01 00',
    22: '80 84 1E 00',
    26: '40 9C 00 00',
    30: '40 9C 00 00',
    51: 'C0 5D',
  };
  for (const [offset, hex] of Object.entries({ ...idle, ...fields })) bytes.set(bytesOf(hex), Number(offset));
  return hexOf(bytes);
}

/** Normal and energized; position at 34, velocity at 38. */
const running = (fields: Record<number, string> = {}) => block({ 0: '0A 01 00 00', ...fields });

function settings(fields: Record<number, string> = {}): string {
  const bytes = new Uint8Array(0x69);
  const table = { 9: 'E8 03', 71: '80 84 1E 00', 79: '40 9C 00 00', 83: '02' };
  for (const [offset, hex] of Object.entries({ ...table, ...fields }))
    bytes.set(bytesOf(hex), Number(offset));
  return hexOf(bytes);
}

const HALT: Exchange = ['40 89 00 00 00 00 00 00'];
const DEENERGIZE: Exchange = ['40 86 00 00 00 00 00 00'];
const ENTER: Exchange = ['40 8F 00 00 00 00 00 00'];
const ENERGIZE: Exchange = ['40 85 00 00 00 00 00 00'];
const EXIT: Exchange = ['40 83 00 00 00 00 00 00'];
const ALIVE: Exchange = ['40 8C 00 00 00 00 00 00'];
const SPEED: Exchange = ['40 E6 80 96 98 00 00 00'];
const ACCELERATION: Exchange = ['40 EA 40 9C 00 00 00 00'];
const READ = (answer = block()): Exchange => ['C0 A1 00 00 00 00 5A 00', answer];
const READ_CLEAR = (answer: string): Exchange => ['C0 A2 00 00 00 00 5A 00', answer];
const SETTINGS = (answer = settings()): Exchange => ['C0 A8 00 00 00 00 69 00', answer];

const SAFE: Exchange[] = [HALT, DEENERGIZE, ENTER, READ()];
const OPEN: Exchange[] = [...SAFE, SETTINGS()];

const T249 = { vendorId: 0x1ffb, productId: 0x00c9, serial: '00330123', bcdDevice: 0x0106, path: '1-1.3' };

async function scripted(
  script: Exchange[],
  work: (tic: TicT249, clock: SteppedClock) => Promise<unknown>,
  identity = T249,
) {
  const clock = new SteppedClock();
  const left = [...script];
  const deviations: string[] = [];
  const pipe = new UsbPipe({
    identity,
    handle: ({ length, ...request }) => {
      const packet = hexOf(setupPacket(request.requestType === 0xc0 ? { ...request, length } : request));
      const next = left.shift();
      if (next?.[0] === packet) return next[1] === '-' ? undefined : bytesOf(next[1] ?? '');
      deviations.push(`${packet} was sent where ${next?.[0] ?? 'nothing'} was expected`);
      return undefined;
    },
  });
  const tic = new TicT249(pipe, { clock });
  const result = await stepUntil(
    clock,
    work(tic, clock).catch((error: DeviceError) => error),
  );
  assert.equal(deviations, []);
  assert.equal(
    left.map(([sent]) => sent),
    [],
    'left over',
  );
  return result;
}

const codeOf = (result: unknown) => (result as DeviceError).code;

test('DEV-020 open halts, de-energizes, enters safe start, reads back, and reads the settings', async () => {
  const result = await scripted(OPEN, (tic) => tic.open());
  const { product, firmware, serial, differences } = result as Awaited<ReturnType<TicT249['open']>>;
  assert.equal([product, firmware, serial, differences], ['Tic T249', '1.06', '00330123', []]);
});

test('DEV-026 differences from the profile are reported and nothing is written', async () => {
  const odd = settings({ 3: '01', 9: '00 00' });
  const result = await scripted([...SAFE, SETTINGS(odd)], (tic) => tic.open());
  assert.equal((result as Awaited<ReturnType<TicT249['open']>>).differences, [
    { setting: 'safeStartDisabled', wanted: false, actual: true },
    { setting: 'commandTimeoutMs', wanted: 1000, actual: 0 },
  ]);
});

test('an older firmware is reported: its limit switches do nothing', async () => {
  const result = await scripted(OPEN, (tic) => tic.open(), { ...T249, bcdDevice: 0x0105 });
  assert.equal((result as Awaited<ReturnType<TicT249['open']>>).differences, [
    { setting: 'firmware', wanted: '1.06 or newer', actual: '1.05' },
  ]);
});

test('another Tic, and another device, is named and never spoken to', async () => {
  const rows: [number, number, RegExp][] = [
    [0x1ffb, 0x00b3, /1ffb:00b3 is a Tic T825, not the Tic T249/],
    [0x1ffb, 0x00b5, /Tic T834/],
    [0x1ffb, 0x00bd, /Tic T500/],
    [0x1ffb, 0x00c3, /Tic N825/],
    [0x1ffb, 0x00cb, /Tic 36v4/],
    [0x04d8, 0x00c9, /04d8:00c9 is not a Tic/],
  ];
  for (const [vendorId, productId, says] of rows) {
    const error = await scripted([], (tic) => tic.open(), { ...T249, vendorId, productId });
    assert.is(codeOf(error), 'wrong_device');
    assert.match((error as DeviceError).message, says);
  }
});

const STILL = running();
const MOVING = running({ 34: '01 00 00 00', 38: '80 96 98 00' });
const ARRIVED = running({ 34: 'F4 01 00 00' });

test('DEV-020 DEV-021 DEV-022 a move: checks, 85, 83, E6, EA, E0, motion seen, 8C with 83, arrival, de-energized', async () => {
  const script = [
    ...OPEN,
    READ(),
    ENERGIZE,
    EXIT,
    SPEED,
    ACCELERATION,
    ['40 E0 F4 01 00 00 00 00'] as Exchange,
    READ_CLEAR(STILL),
    READ_CLEAR(MOVING),
    ALIVE,
    EXIT,
    READ(MOVING),
    ALIVE,
    EXIT,
    READ(ARRIVED),
    ...SAFE,
  ];
  const end = await scripted(script, async (tic) => {
    await tic.open();
    const motion = await tic.move({ steps: 500, speed: 10_000_000, direction: 'forward' });
    return motion.released;
  });
  assert.equal(
    [(end as { reason: string }).reason, (end as { position: number }).position],
    ['arrived', 500],
  );
});

test("DEV-020 in reverse the target is negative, and an acceleration of the order goes before the device's", async () => {
  const script = [
    ...OPEN,
    READ(),
    ENERGIZE,
    EXIT,
    SPEED,
    ['40 EA A0 86 01 00 00 00'] as Exchange,
    ['40 E0 0C FE FF FF 00 00'] as Exchange,
    READ_CLEAR(running({ 38: '80 69 67 FF' })),
    ALIVE,
    EXIT,
    ...SAFE,
  ];
  await scripted(script, async (tic) => {
    await tic.open();
    await tic.move({ steps: 500, speed: 10_000_000, direction: 'reverse', acceleration: 100_000 });
    await tic.stop();
  });
});

test('DEV-021 a velocity of 1000 step/s is E3 with 10000000', async () => {
  const script = [
    ...OPEN,
    READ(),
    ENERGIZE,
    EXIT,
    SPEED,
    ACCELERATION,
    ['40 E3 80 69 67 FF 00 00'] as Exchange,
    READ_CLEAR(running({ 38: '80 69 67 FF' })),
    ALIVE,
    EXIT,
    ...SAFE,
  ];
  await scripted(script, async (tic) => {
    await tic.open();
    await tic.velocity({ speed: 10_000_000, direction: 'reverse' });
    await tic.stop();
  });
});

test('with safe start disabled 83 does not go with 8C', async () => {
  const script = [
    ...SAFE,
    SETTINGS(settings({ 3: '01' })),
    READ(),
    ENERGIZE,
    EXIT,
    ['40 97 00 00 00 00 00 00'] as Exchange,
    READ_CLEAR(running({ 0: '0A 11 00 00', 38: '80 69 67 FF' })),
    ALIVE,
    ...SAFE,
  ];
  await scripted(script, async (tic) => {
    await tic.open();
    await tic.home({ direction: 'reverse' });
    await tic.stop();
  });
});

test("DEV-023 low VIN blocks with the exact message, by the chip or by the rig's own minimum; nothing is sent", async () => {
  const lows = [block({ 0: '00 00 05 00' }), block({ 51: hexOf(Uint8Array.of(9999 & 0xff, 9999 >> 8)) })];
  for (const low of lows) {
    const error = await scripted([...OPEN, READ(low)], async (tic) => {
      await tic.open();
      await tic.move({ steps: 1, speed: 1, direction: 'forward' });
    });
    assert.equal(
      [codeOf(error), (error as DeviceError).message],
      ['lung_low_vin', 'Motor supply voltage is too low'],
    );
  }
});

test('DEV-023 both limits block with the exact message; nothing is sent', async () => {
  const error = await scripted([...OPEN, READ(block({ 1: '0C' }))], async (tic) => {
    await tic.open();
    await tic.move({ steps: 1, speed: 1, direction: 'forward' });
  });
  assert.equal(
    [codeOf(error), (error as DeviceError).message],
    ['lung_limits_blocked', 'Both limit switches are active; movement is blocked'],
  );
});

test('DEV-024 the checks keep their order: driver error, low VIN, both limits', async () => {
  const rows: [string, string, RegExp][] = [
    [block({ 0: '00 0C 07 00', 51: '00 00', 85: '01' }), 'device_error', /motor driver.*over-current/],
    [block({ 0: '00 0C 05 00', 51: '00 00' }), 'lung_low_vin', /^Motor supply voltage is too low$/],
    [block({ 0: '02 0C 01 00' }), 'lung_limits_blocked', /^Both limit switches are active/],
  ];
  for (const [answer, code, says] of rows) {
    const error = await scripted([...OPEN, READ(answer)], async (tic) => {
      await tic.open();
      await tic.move({ steps: 1, speed: 1, direction: 'forward' });
    });
    assert.is(codeOf(error), code);
    assert.match((error as DeviceError).message, says);
  }
});

test('DEV-024 connected comes before all others', async () => {
  const error = await scripted([], (tic) => tic.move({ steps: 1, speed: 1, direction: 'forward' }));
  assert.is(codeOf(error), 'device_unavailable');
});

test('one active limit allows only the opposite direction', async () => {
  for (const [flag, direction] of [
    ['04', 'forward'],
    ['08', 'reverse'],
  ] as const) {
    const error = await scripted([...OPEN, READ(block({ 1: flag }))], async (tic) => {
      await tic.open();
      await tic.move({ steps: 1, speed: 1, direction });
    });
    assert.is(codeOf(error), 'lung_limits_blocked');
    assert.match((error as DeviceError).message, new RegExp(`The ${direction} limit switch is active`));
  }
  const script = [
    ...OPEN,
    READ(block({ 1: '04' })),
    ENERGIZE,
    EXIT,
    SPEED,
    ACCELERATION,
    ['40 E0 0C FE FF FF 00 00'] as Exchange,
    READ_CLEAR(running({ 38: '80 69 67 FF' })),
    ALIVE,
    EXIT,
    ...SAFE,
  ];
  await scripted(script, async (tic) => {
    await tic.open();
    await tic.move({ steps: 500, speed: 10_000_000, direction: 'reverse' });
    await tic.stop();
  });
});

test('DEV-025 no motion within 500 ms is a failure; it is de-energized and not sent again', async () => {
  const looks = Array.from({ length: 26 }, () => READ_CLEAR(STILL));
  const script = [
    ...OPEN,
    READ(),
    ENERGIZE,
    EXIT,
    SPEED,
    ACCELERATION,
    ['40 E0 F4 01 00 00 00 00'] as Exchange,
    ...looks,
    ...SAFE,
  ];
  const error = await scripted(script, async (tic, clock) => {
    await tic.open();
    const failed = await tic
      .move({ steps: 500, speed: 10_000_000, direction: 'forward' })
      .catch((fault: DeviceError) => fault);
    await clock.sleep(10_000);
    assert.is(tic.isBusy, false);
    return failed;
  });
  assert.is(codeOf(error), 'lung_start_failed');
  assert.match((error as DeviceError).message, /no motion was seen within 500 ms/);
});

test('a stop that the device does not follow is not confirmed', async () => {
  const stuck = [HALT, DEENERGIZE, ENTER, READ(running()), READ(running()), READ(running())];
  const error = await scripted([...OPEN, ...stuck, ...stuck, ...stuck], async (tic) => {
    await tic.open();
    await tic.stop();
  });
  assert.equal([codeOf(error), (error as DeviceError).reason], ['device_error', 'not_stopped']);
});

test('a stop is confirmed when the device needed a moment for it', async () => {
  const status = await scripted([...OPEN, HALT, DEENERGIZE, ENTER, READ(running()), READ()], async (tic) => {
    await tic.open();
    return tic.stop();
  });
  assert.is((status as { energized: boolean }).energized, false);
});

test('a stop goes on when one of its commands is refused; what counts is what is read back', async () => {
  const refused: Exchange[] = [['40 89 00 00 00 00 00 00', '-'], DEENERGIZE, ENTER, READ()];
  const status = await scripted([...OPEN, ...refused], async (tic) => {
    await tic.open();
    return tic.stop();
  });
  assert.is((status as { energized: boolean }).energized, false);
});

test('a block of nothing but zeros does not confirm a stop', async () => {
  const zeros = hexOf(new Uint8Array(90));
  const odd = [HALT, DEENERGIZE, ENTER, READ(zeros), READ(zeros), READ(zeros)];
  const error = await scripted([...OPEN, ...odd, ...odd, ...odd], async (tic) => {
    await tic.open();
    await tic.stop();
  });
  assert.is(codeOf(error), 'corrupt_response');
});

test('values that the lung does not have are refused and nothing is sent', async () => {
  const wrong = [
    { steps: 0 },
    { steps: 1_000_001 },
    { steps: 1.5 },
    { steps: Number.NaN },
    { speed: 0 },
    { speed: 500_000_001 },
    { acceleration: 99 },
  ];
  for (const patch of wrong) {
    const error = await scripted(OPEN, async (tic) => {
      await tic.open();
      await tic.move({ steps: 500, speed: 10_000_000, direction: 'forward', ...patch });
    });
    assert.is(codeOf(error), 'value_out_of_range', JSON.stringify(patch));
  }
});

test('the status is what was read', async () => {
  const answer = running({
    1: '17',
    4: '40 00 00 00',
    34: '0C FE FF FF',
    38: '80 69 67 FF',
    53: '10 27 00 00',
  });
  const status = await scripted([...OPEN, READ(answer)], async (tic) => {
    await tic.open();
    return tic.status();
  });
  assert.equal(
    { ...(status as object), observedAt: 0 },
    {
      connected: true,
      energized: true,
      moving: true,
      homing: true,
      position: -500,
      positionUncertain: true,
      velocity: -10_000_000,
      forwardLimitActive: true,
      reverseLimitActive: false,
      lowVin: false,
      vinMv: 24_000,
      motorDriverError: false,
      lastDriverError: 'none',
      state: 'normal',
      errors: [],
      upTimeMs: 10_000,
      lastMotionError: null,
      observedAt: 0,
    },
  );
});

test.run();
