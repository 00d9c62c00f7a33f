import * as assert from 'uvu/assert';
import { ElFlow } from '../../devices/el-flow/driver.ts';
import { ElFlowTwin } from '../../devices/el-flow/twin.ts';
import { ModbusIo } from '../../devices/modbus-io/driver.ts';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { RtuBus } from '../../devices/modbus-rtu/bus.ts';
import { RtuLine } from '../../devices/modbus-rtu/line.ts';
import type { ModbusMaster } from '../../devices/modbus-rtu/master.ts';
import { ModbusUnit } from '../../devices/modbus-rtu/unit.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { parseConfig } from '../../rig/configuration/read-file.ts';
import { valveBoard } from '../../rig/device-kinds/valve-board.ts';
import { replyTimes } from '../../rig/hardware/real/modbus-line.ts';
import { besideActuators } from '../../rig/hardware/real/modbus-sensor.ts';
import { suite } from '../../test-kit/suite.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { ActuatorWatch } from './actuator-watch.ts';

const test = suite('a sensor on the line of the valves');
const BAUD = 19_200;
const UNIT = 3;

const { plugins } = mergeConfig(
  parseConfig(
    `lines: {bus: {port: /dev/ttyS9}}
plugins:
  modbus-io: {connection_type: modbus-rtu, connection_params: {line: bus}}
  flow: {kind: el-flow, connection_type: modbus-rtu, connection_params: {line: bus}, timeout: 2.5, retry_count: 5}
`,
    'svc.yaml',
  ),
  {},
);

/** A driver that asks for one register as patiently as the line lets it. */
function patientDriver(line: ModbusMaster): { start: () => Promise<unknown> } {
  const unit = new ModbusUnit(line, 'gauge', UNIT);
  const ask = (count: number) => ({ function: 0x03, unit: UNIT, address: 0x20, count }) as const;
  return { start: () => unit.run((session) => unit.read(session, ask(1), ask(2)), {}) };
}

/** Board and meter on one line, in stepped time, and the watch of the bridge over an open valve. */
async function onOneLine() {
  const clock = new SteppedClock();
  const pipe = new BytePipe({ address: 'memory', baud: BAUD, isPaced: true });
  const around = { clock, random: seededRandom(1), lineClock: clock };
  const board = new ModbusIoTwin({ ...around, listener: () => {}, lineBaud: BAUD });
  const meter = new ElFlowTwin({ ...around, unit: UNIT, laggedFlow: () => () => 5 });
  const bus = new RtuBus([board.slave, meter.slave]);
  bus.connect((bytes) => pipe.send(bytes));
  pipe.onWritten((bytes) => bus.receive(bytes));
  const line = new RtuLine({ ...replyTimes(plugins), transport: pipe, baud: BAUD, clock });
  await line.open();
  const valves = new ModbusIo(line, { unit: 1, device: 'modbus-io' });
  const lostAt: number[] = [];
  const watch = new ActuatorWatch({
    devices: [
      {
        ...{ plugin: 'modbus-io', device: 'valves', ids: ['valve-1'] },
        lostAfterMs: valveBoard.watch.lostAfterMs,
        look: async (signal, withinMs = 0) => {
          await valves.watchOutputs({ withinMs, ...(signal ? { signal } : {}) });
          return [];
        },
      },
    ],
    states: { isHeldOn: () => true },
    clock,
    isPaused: () => false,
    onLost: () => lostAt.push(clock.monotonic()),
  });
  watch.begin();
  return { board, clock, line, lostAt, meter, watch };
}

test('beside an actuator the times of a sensor do not count for the line', () => {
  assert.equal(replyTimes(plugins), { replyTimeoutMs: 500, totalMs: 2000, attempts: 2 });
  assert.is(replyTimes(plugins.filter(({ isActuator }) => !isActuator)).attempts, 6);
});

for (const [what, drive] of [
  ['el-flow', (line: ModbusMaster) => new ElFlow(line, { unit: UNIT })],
  ['a sensor whose driver is patient', patientDriver],
] as const)
  test(`DEV-056 the loss of the valve board is acted on within 1 s while ${what} is silent`, async () => {
    // The board falls silent at any moment of the readings of the sensor.
    for (let offsetMs = 0; offsetMs < 600; offsetMs += 60) {
      const { board, clock, line, lostAt, meter, watch } = await onOneLine();
      await clock.advance(1000);
      meter.knobs.patch({ silent: true });
      const driver = drive(besideActuators(line));
      const readers = Array.from({ length: 3 }, async () => {
        while (lostAt.length === 0) await driver.start().catch(() => clock.sleep(1));
      });
      await clock.advance(1000 + offsetMs);
      assert.equal(lostAt, [], 'a silent sensor alone is no loss of the board');
      board.knobs.patch({ silent: true });
      const silentAt = clock.monotonic();
      while (lostAt.length === 0) await clock.advance(5);
      assert.ok(lostAt[0]! - silentAt <= 1000, `${lostAt[0]! - silentAt} ms at offset ${offsetMs}`);
      watch.close();
      await line.close();
      await clock.advance(1000);
      await Promise.all(readers);
    }
  });

test('DEV-056 a reading that goes on for long gives the line back to a valve that waits after 0.5 s', async () => {
  const { clock, line, watch } = await onOneLine();
  const unit = new ModbusUnit(besideActuators(line), 'gauge', UNIT);
  const request = { function: 0x03, unit: UNIT, address: 0x20, count: 1 } as const;
  const begunAt = clock.monotonic();
  const work = unit.run(async (session) => {
    for (;;) await session.read(request);
  }, {});
  let error: { code?: string; message?: string } | undefined;
  work.catch((thrown) => {
    error = thrown;
  });
  while (!error) await clock.advance(5);
  assert.is(error.code, 'device_timeout');
  assert.match(String(error.message), 'connect the sensor to another port');
  assert.ok(clock.monotonic() - begunAt <= 510, String(clock.monotonic() - begunAt));
  watch.close();
  await line.close();
});

test.run();
