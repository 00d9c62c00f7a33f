import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { RtuLine, type RtuLineOptions } from '../modbus-rtu/line.ts';
import type { TwinEvent } from '../twin-event.ts';
import { ModbusIo } from './driver.ts';
import { ModbusIoTwin } from './twin.ts';

/** Driver and twin on one stepped clock, with nothing but bytes between them. */
export async function modbusIoInMemory(
  options: { seed?: number; turnaroundMs?: Milliseconds; line?: Partial<RtuLineOptions> } = {},
) {
  const clock = new SteppedClock();
  const pipe = new BytePipe({ address: 'memory', baud: 19200, isPaced: true });
  const events: TwinEvent[] = [];
  const twin = new ModbusIoTwin({
    clock,
    random: seededRandom(options.seed ?? 1),
    turnaroundMs: options.turnaroundMs ?? 4,
    lineClock: clock,
    listener: (event) => events.push(event),
  });
  twin.slave.connect((bytes) => pipe.send(bytes));
  pipe.onWritten((bytes) => twin.slave.receive(bytes));
  const line = new RtuLine({ transport: pipe, baud: 19200, clock, ...options.line });
  await line.open();
  const io = new ModbusIo(line);
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  return { clock, pipe, twin, line, io, events, step };
}
