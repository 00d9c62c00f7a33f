import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { HidPipe } from '../../transports/memory/hid-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import type { TwinEvent } from '../twin-event.ts';
import { Mcp2221a, type Mcp2221aOptions } from './driver.ts';
import { Mcp2221aTwin } from './twin.ts';

/** Driver and twin on one stepped clock, with nothing but reports between them. */
export function mcp2221aInMemory(
  options: { seed?: number; volts?: (input: 1 | 2 | 3) => number; driver?: Mcp2221aOptions } = {},
) {
  const clock = new SteppedClock();
  const pipe = new HidPipe({ address: 'memory' });
  const events: TwinEvent[] = [];
  const twin = new Mcp2221aTwin({
    clock,
    random: seededRandom(options.seed ?? 1),
    ...(options.volts ? { volts: options.volts } : {}),
    listener: (event) => events.push(event),
  });
  twin.connect((report) => pipe.send(report));
  pipe.onWritten((report) => twin.receive(report));
  const adc = new Mcp2221a(pipe, { clock, ...options.driver });
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  return { clock, pipe, twin, adc, events, step };
}
