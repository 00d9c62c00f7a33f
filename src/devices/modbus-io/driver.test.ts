import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { hexOf } from '../../transports/hex.ts';
import { ScriptedPort } from '../../transports/memory/scripted-port.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import type { DeviceError } from '../device-error.ts';
import { failure } from '../failure.ts';
import { RtuLine } from '../modbus-rtu/line.ts';
import { ModbusIo } from './driver.ts';
import { modbusIoInMemory } from './in-memory.ts';

const test = suite('modbus-io driver');

const OFF = new Array<boolean>(8).fill(false);
const PROBE: [string, string] = ['01 01 00 00 00 01 FD CA', '01 01 01 00 51 88'];
const MODES: [string, string] = ['01 03 10 00 00 08 40 CC', `01 03 10 ${'00 '.repeat(16)}E4 59`];
const READ = '01 01 00 00 00 08 3D CC';

async function scripted(script: [string, string][], work: (io: ModbusIo) => Promise<unknown>) {
  const clock = new SteppedClock();
  const port = new ScriptedPort(script);
  const line = new RtuLine({ transport: port, baud: 19200, clock });
  await line.open();
  const result = await stepUntil(
    clock,
    work(new ModbusIo(line)).catch((error: DeviceError) => error.code),
  );
  await line.close();
  assert.equal(port.deviations, []);
  return result;
}

test('DEV-031 set output: probe, modes, write, echo, read-back, and nothing else', async () => {
  const on: [string, string] = ['01 05 00 02 FF 00 2D FA', '01 05 00 02 FF 00 2D FA'];
  await scripted([PROBE, MODES, on, [READ, '01 01 01 04 50 4B']], (io) => io.setOutput(2, true));
});

for (const [exception, code] of [
  [1, 'wrong_device'],
  [2, 'wrong_device'],
  [4, 'modbus_exception'],
] as const)
  test(`exception ${exception} to the first question is ${code}, and no output is switched on`, async () => {
    const { io, twin, step, events } = await modbusIoInMemory();
    twin.knobs.patch({ exception });
    for (const work of [() => io.start(), () => io.probe(), () => io.setOutput(0, true)]) {
      const error = await step(failure(work()));
      assert.equal([error.code, error.exception, error.device], [code, exception, 'modbus-io']);
      if (code === 'wrong_device') assert.match(error.message, /unit 1 on memory: .*port of the valves/);
    }
    assert.ok(events.every((event) => event.kind !== 'in' || event.bytes[1] === 0x01));
  });

test('DEV-030 an answer owed to a killed process is not taken for the outputs, whatever was asked before', async () => {
  for (const first of ['readOutputs', 'probe', 'start'] as const) {
    const { io, twin, step } = await modbusIoInMemory();
    twin.slave.faultOnce({ late_ms: 40 });
    twin.slave.receive(Buffer.from(READ.replaceAll(' ', ''), 'hex'));
    twin.force(3, true);
    if (first !== 'readOutputs') await step(io[first]());
    assert.equal(await step(io.readOutputs()), twin.coils, first);
    twin.force(3, false);
    assert.equal(await step(io.readOutputs()), twin.coils, first);
  }
});

test('DEV-031 an echo without the read-back is not a confirmation', async () => {
  const on: [string, string] = ['01 05 00 02 FF 00 2D FA', '01 05 00 02 FF 00 2D FA'];
  const end = await scripted([PROBE, MODES, on, [READ, '01 01 01 00 51 88']], (io) => io.setOutput(2, true));
  assert.is(end, 'valve_unverified');
});

test('DEV-031 DEV-049 a write without a good echo is read back, repeated once, and its read-back is proven', async () => {
  const off = '01 05 00 02 00 00 6C 0A';
  const shows: [string, string] = [READ, '01 01 01 00 51 88'];
  const syncRequest: [string, string] = ['01 02 00 00 00 08 79 CC', '01 02 01 00 A1 88'];
  await scripted(
    [[off, '01 05 00 03 00 00 3D CA'], syncRequest, shows, [off, off], syncRequest, shows, shows],
    (io) => io.setOutput(2, false),
  );
});

test('DEV-031 a write that is refused with a Modbus exception is not repeated, and nothing is read', async () => {
  const off = '01 05 00 02 00 00 6C 0A';
  const end = await scripted([[off, '01 85 04 43 53']], (io) => io.setOutput(2, false));
  assert.is(end, 'modbus_exception');
  const all: [string, string] = ['01 05 00 FF 00 00 FD FA', '01 85 04 43 53'];
  assert.is(await scripted([all], (io) => io.allOff({ priority: 'safe' })), 'modbus_exception');
});

test('DEV-033 all off is one command to 00FF, not a broadcast, and all eight are read back', async () => {
  await scripted(
    [
      ['01 05 00 FF 00 00 FD FA', '01 05 00 FF 00 00 FD FA'],
      [READ, '01 01 01 00 51 88'],
    ],
    (io) => io.allOff(),
  );
});

test('DEV-033 whatever the driver is asked, it never sends toggle, broadcast or a write to a register', async () => {
  const { io, step, events, twin } = await modbusIoInMemory();
  twin.slave.faultOnce({ silent: true }, {}, { bad_crc: true }, {}, { late_ms: 600 });
  for (let coil = 0; coil < 8; coil++) {
    await step(io.setOutput(coil, true).catch(() => {}));
    await step(io.setOutput(coil, false).catch(() => {}));
  }
  await step(io.allOff());
  await step(io.probe());
  const sent = events.flatMap((event) => (event.kind === 'in' ? [event.bytes] : []));
  assert.ok(sent.length > 32);
  for (const frame of sent) {
    assert.is(frame[0], 1);
    assert.ok([1, 2, 3, 5].includes(frame[1] ?? 0), hexOf(frame));
    if (frame[1] === 5) assert.ok([0x00, 0xff].includes(frame[4] ?? 1), hexOf(frame));
  }
});

test('outputs switch and are read as they are', async () => {
  const { io, step, twin, clock, line } = await modbusIoInMemory();
  await step(io.start());
  assert.equal(io.warnings, []);
  await step(io.setOutput(0, true));
  await step(io.setOutput(7, true));
  assert.equal(await step(io.readOutputs()), [true, ...OFF.slice(2), true]);
  await step(io.allOff());
  assert.equal(twin.coils, OFF);
  await line.close();
  assert.is(clock.pending, 0);
});

test('a reading has the time at which it was made', async () => {
  const { io, step, clock } = await modbusIoInMemory();
  const askedAt = clock.now();
  const { observedAt, outputs } = await step(io.observeOutputs());
  assert.ok(observedAt > askedAt && observedAt <= clock.now(), `${observedAt - askedAt}`);
  assert.equal(outputs, OFF);
});

test('a coil that is not 0 to 7 is refused and nothing is sent', async () => {
  const { io, step, events } = await modbusIoInMemory();
  for (const coil of [-1, 8, 0.5, Number.NaN, 255]) {
    assert.is((await step(failure(io.setOutput(coil, true)))).code, 'value_out_of_range');
  }
  assert.is(events.length, 0);
});

test('DEV-031 a stuck output echoes and is not confirmed', async () => {
  const { io, step, twin } = await modbusIoInMemory();
  twin.knobs.patch({ coil_stuck: [3] });
  const error = await step(failure(io.setOutput(3, true)));
  assert.is(error.code, 'valve_unverified');
  assert.is(error.device, 'modbus-io');
  assert.is(error.endpoint, 'memory');
  assert.match(error.message, /output 3 was set on and echoed it, but reads off/);
});

test('all off names the outputs that stay on', async () => {
  const { io, step, twin } = await modbusIoInMemory();
  await step(io.setOutput(1, true));
  await step(io.setOutput(5, true));
  twin.knobs.patch({ coil_stuck: [5] });
  const error = await step(failure(io.allOff({ priority: 'safe' })));
  assert.is(error.code, 'valve_unverified');
  assert.match(error.message, /but 5 still read on/);
  assert.is(twin.coils[1], false);
});

test('DEV-032 an output mode that is not normal refuses valves until it is corrected; all off still works', async () => {
  const { io, step, twin, events } = await modbusIoInMemory();
  twin.knobs.patch({ modes: [0, 0, 1, 0, 0, 0, 0, 0] });
  await step(io.start());
  const error = await step(failure(io.setOutput(0, true)));
  assert.is(error.code, 'valve_mode_not_normal');
  assert.match(error.message, /output 2: 1 \(follows input\).*set registers 1000-1007/);
  await step(io.allOff());
  assert.not.ok(events.some((event) => event.kind === 'coil'));
  twin.knobs.patch({ modes: [0, 0, 0, 0, 0, 0, 0, 0] });
  await step(io.setOutput(0, true));
  assert.is(twin.coils[0], true);
});

test('DEV-032 a board without mode registers is warned about and used', async () => {
  const { io, step, twin } = await modbusIoInMemory();
  twin.knobs.patch({ modes: null });
  await step(io.start());
  assert.is(io.warnings.length, 1);
  await step(io.setOutput(0, true));
  assert.is(twin.coils[0], true);
});

test('DEV-032 a mode that is not normal never keeps a valve from being closed', async () => {
  const { io, step, twin } = await modbusIoInMemory();
  await step(io.start());
  await step(io.setOutput(3, true));
  twin.knobs.patch({ modes: [0, 0, 0, 2, 0, 0, 0, 0] });
  await step(io.start());
  await step(io.setOutput(3, false));
  assert.is(twin.coils[3], false);
  assert.is((await step(failure(io.setOutput(3, true)))).code, 'valve_mode_not_normal');
});

test('DEV-043 after a time-out the open sequence is repeated before the next valve moves', async () => {
  const { io, step, twin, events } = await modbusIoInMemory();
  await step(io.start());
  twin.slave.faultOnce({ silent: true }, { silent: true });
  assert.is((await step(failure(io.readOutputs()))).code, 'device_timeout');
  twin.knobs.patch({ modes: [3, 0, 0, 0, 0, 0, 0, 0] });
  events.length = 0;
  assert.is((await step(failure(io.setOutput(0, true)))).code, 'valve_mode_not_normal');
});

const faults: [string, object, string][] = [
  ['silent', { silent: true }, 'device_timeout'],
  ['deaf', { deaf: true }, 'device_timeout'],
  ['late_ms', { late_ms: 5000 }, 'device_timeout'],
  ['bad_crc', { bad_crc: true }, 'corrupt_response'],
  ['truncate', { truncate: 3 }, 'corrupt_response'],
  ['doubled', { doubled: true }, 'corrupt_response'],
  ['foreign', { foreign: true }, 'corrupt_response'],
  ['exception', { exception: 4 }, 'modbus_exception'],
  ['baud', { baud: 9600 }, 'device_timeout'],
  ['parity', { parity: 'even' }, 'device_timeout'],
  ['device_id', { device_id: 2 }, 'device_timeout'],
];

for (const [knob, patch, code] of faults) {
  test(`DEV-045 with the knob ${knob} a reading is ${code}, never a value, and it recovers`, async () => {
    const { io, step, twin, clock, line } = await modbusIoInMemory();
    await step(io.setOutput(4, true));
    twin.knobs.patch(patch);
    const error = await step(failure(io.readOutputs()));
    assert.is(error.code, code);
    assert.is(error.device, 'modbus-io');
    twin.knobs.reset();
    await clock.advance(20_000);
    assert.is((await step(io.readOutputs()))[4], true);
    await line.close();
    twin.slave.reset();
    assert.is(clock.pending, 0);
  });
}

test('DEV-044 all off overtakes waiting openings, and none of them is carried out after it', async () => {
  const { io, step, twin, events } = await modbusIoInMemory();
  await step(io.start());
  const openings = [0, 1, 2, 3, 4].map((coil) =>
    io.setOutput(coil, true).catch((error: DeviceError) => error.code),
  );
  const safe = io.allOff({ priority: 'safe' });
  await step(safe);
  assert.equal(await step(Promise.all(openings)), new Array(5).fill('superseded'));
  assert.equal(twin.coils, OFF);
  const commands = events.flatMap((event) =>
    event.kind === 'in' && event.bytes[1] === 5 ? [hexOf(event.bytes)] : [],
  );
  assert.ok(commands.length <= 2, commands.join(' | '));
  assert.is(commands.at(-1), '01 05 00 FF 00 00 FD FA');
});

test('an unknown knob is refused by name and nothing is changed', async () => {
  const { twin } = await modbusIoInMemory();
  assert.throws(
    () => twin.knobs.patch({ silent: true, slient: true }),
    /unknown: slient \(known knobs: silent,/,
  );
  assert.throws(() => twin.knobs.patch({ coil_stuck: [8] }), /coil_stuck/);
  assert.is(twin.knobs.value.silent, false);
});

test.run();
