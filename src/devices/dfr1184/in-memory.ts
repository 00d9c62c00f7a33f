import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import type { TwinEvent } from '../twin-event.ts';
import { Dfr1184, type Dfr1184Options } from './driver.ts';
import { UART_BAUD, type UartInput } from './protocol.ts';
import { Dfr1184Twin } from './twin.ts';

const CHARACTER_MS = 10_000 / UART_BAUD;

/**
 * Driver and twin on one stepped clock, with nothing but bytes between them.
 *
 * @param options.atLineRate bytes come one by one, as 9600 8N1 delivers them; otherwise at once
 */
export function dfr1184InMemory(
  options: { seed?: number; atLineRate?: boolean } & Pick<Dfr1184Options, 'onSelectionProof'> = {},
) {
  const clock = new SteppedClock();
  const pipe = new BytePipe({ address: 'memory', baud: 9600 });
  const events: TwinEvent[] = [];
  /** What is truly at the inputs. */
  const volts: Record<UartInput, number> = { 1: 0.755, 2: 0.885 };
  const twin = new Dfr1184Twin({
    clock,
    random: seededRandom(options.seed ?? 1),
    volts: (input) => volts[input],
    listener: (event) => events.push(event),
  });
  const line = (deliver: (bytes: Uint8Array) => void) =>
    options.atLineRate === true ? paced(clock, deliver) : deliver;
  twin.connect(line((bytes) => pipe.send(bytes)));
  pipe.onWritten(line((bytes) => twin.receive(bytes)));
  const { onSelectionProof } = options;
  const adc = new Dfr1184(pipe, { clock, ...(onSelectionProof && { onSelectionProof }) });
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  return { clock, pipe, twin, adc, events, volts, step };
}

function paced(clock: SteppedClock, deliver: (bytes: Uint8Array) => void): (bytes: Uint8Array) => void {
  let freeAtMs = 0;
  return (bytes) => {
    for (const byte of bytes) {
      freeAtMs = Math.max(freeAtMs, clock.monotonic()) + CHARACTER_MS;
      clock.after(freeAtMs - clock.monotonic(), () => deliver(Uint8Array.of(byte)));
    }
  };
}
