import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { REPORT_BYTES } from '../../transports/hid/hid-transport.ts';
import { HidPipe } from '../../transports/memory/hid-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import type { TwinEvent } from '../twin-event.ts';
import { Mcp2221a, type Mcp2221aOptions } from './driver.ts';
import { Mcp2221aTwin, type Mcp2221aTwinOptions } from './twin.ts';

/** Driver and twin on one stepped clock, with nothing but reports between them. */
export function mcp2221aInMemory(
  options: {
    seed?: number;
    volts?: (input: 1 | 2 | 3) => number;
    driver?: Mcp2221aOptions;
    twin?: Pick<Mcp2221aTwinOptions, 'productId'>;
  } = {},
) {
  const clock = new SteppedClock();
  const pipe = new HidPipe({ address: 'memory' });
  const events: TwinEvent[] = [];
  const twin = new Mcp2221aTwin({
    clock,
    random: seededRandom(options.seed ?? 1),
    ...(options.volts ? { volts: options.volts } : {}),
    ...options.twin,
    listener: (event) => events.push(event),
  });
  twin.connect((report) => pipe.send(report));
  pipe.onWritten((report) => twin.receive(report));
  const adc = new Mcp2221a(pipe, { clock, ...options.driver });
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  return { clock, pipe, twin, adc, events, step };
}

const VOLTS = { 1: 0.635, 2: 0.755, 3: 0.885 };

/** Opened, with 0.635, 0.755 and 0.885 V on the pins: raw 197, 234, 274 at 3.3 V. */
export async function opened(driver: Mcp2221aOptions = {}) {
  const rig = mcp2221aInMemory({ volts: (input) => VOLTS[input], driver });
  await rig.step(rig.adc.open());
  rig.events.length = 0;
  /** Commands that came to the chip since the opening. */
  const sent = () => rig.events.flatMap((event) => (event.kind === 'in' ? [event.bytes[0]] : []));
  /** Another program's request. */
  const request = (bytes: number[]) => {
    const report = new Uint8Array(REPORT_BYTES);
    report.set(bytes);
    rig.twin.receive(report);
    return rig.clock.advance(10);
  };
  return { ...rig, sent, request };
}
