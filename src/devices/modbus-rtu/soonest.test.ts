import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { openByteTransport } from '../../transports/open.ts';
import type { TransportError } from '../../transports/transport-error.ts';
import type { DeviceError } from '../device-error.ts';
import { failure } from '../failure.ts';
import { RtuLine } from './line.ts';
import type { ModbusRequest } from './request.ts';
import { rtuTiming, soonestArrivalMs } from './timing.ts';
import type { RtuTraceEvent } from './trace.ts';

const test = suite('modbus rtu: the soonest moment of a reply');

const readCoils: ModbusRequest = { function: 0x01, unit: 1, address: 0, count: 8 };
const coilOn: ModbusRequest = { function: 0x05, unit: 1, address: 0, on: true };
const SHOWS_5 = bytesOf('01 01 01 05 91 8B');
const SHOWS_0 = bytesOf('01 01 01 00 51 88');
const timing = rtuTiming({ baud: 19_200 });

/** The kernel's buffer: what came is handed over when the program gets to it, or looks. */
class KernelBuffer extends BytePipe {
  readonly #held: Uint8Array[] = [];
  isHeldUp = false;

  override send(bytes: Uint8Array): void {
    if (this.isHeldUp) this.#held.push(bytes);
    else super.send(bytes);
  }

  override async flushInput(): Promise<void> {
    this.goOn();
  }

  goOn(): void {
    for (const bytes of this.#held.splice(0)) super.send(bytes);
  }
}

/** The clock of a program whose timers fire late, all of them. */
class HeldUpClock extends SteppedClock {
  heldUpUntilMs = 0;

  override after(ms: number, action: () => void): () => void {
    return super.after(Math.max(ms, this.heldUpUntilMs - this.monotonic()), action);
  }
}

/** @param answer what comes for the n-th request */
async function line(answer: (pipe: KernelBuffer, clock: HeldUpClock, n: number) => void) {
  const clock = new HeldUpClock();
  const pipe = new KernelBuffer({ baud: 19_200, isPaced: true });
  let heard = 0;
  let sent = 0;
  let whenSent = (_: number) => {};
  pipe.onWritten(() => answer(pipe, clock, ++heard));
  const trace = ({ kind }: RtuTraceEvent) => {
    if (kind === 'sent') whenSent(++sent);
  };
  const master = new RtuLine({ transport: pipe, baud: 19_200, clock, trace });
  await master.open();
  /** Holds the program up for 40 ms behind these requests. */
  const hold = (which: (n: number) => boolean, readerFirst = false) => {
    whenSent = (n) => {
      if (!which(n)) return;
      clock.heldUpUntilMs = clock.monotonic() + 40;
      if (readerFirst) clock.after(0, () => pipe.goOn());
    };
  };
  const run = <T>(work: Promise<T>) => stepUntil(clock, work);
  const read = () => run(master.run((session) => session.read(readCoils)).then(hexOf));
  return { clock, pipe, master, run, read, hold, heard: () => heard };
}

test('DEV-048 it is request, 3.5 characters and the bytes themselves, less the error of rates and clock', () => {
  assert.ok(Math.abs(soonestArrivalMs(timing, 8, 6) - (17.5 * 0.52083 * 0.97 - 0.1)) < 1e-3);
  assert.ok(soonestArrivalMs(timing, 8, 1) < soonestArrivalMs(timing, 8, 2));
  assert.is(soonestArrivalMs({ ...timing, isPaced: false }, 8, 6), 0);
});

test('DEV-048 a whole reply is refused just before that moment and taken just behind it', async () => {
  const wholeMs = soonestArrivalMs(timing, 8, 6);
  for (const [offsetMs, early] of [
    [-0.01, 1],
    [0.01, 0],
  ] as const) {
    const { master, read } = await line((pipe, clock, n) => {
      clock.after(n === 1 ? wholeMs + offsetMs : 15, () => pipe.send(n === 1 ? SHOWS_5 : SHOWS_0));
    });
    assert.is(await read(), early ? '00' : '05');
    assert.is(master.statistics.early, early);
  }
});

test('DEV-048 first bytes that come in time do not carry the rest with them', async () => {
  const { master, read } = await line((pipe, clock, n) => {
    if (n === 1) clock.after(6.2, () => pipe.send(SHOWS_5));
    else clock.after(15, () => pipe.send(SHOWS_0));
  });
  assert.is(await read(), '00');
  assert.is(master.statistics.early, 1);
});

test('DEV-048 an adapter that echoes what it sends does not confirm a write', async () => {
  const { pipe, master, run } = await line(() => {});
  pipe.onWritten((bytes) => pipe.send(bytes));
  const error = await run(failure(master.run((session) => session.write(coilOn))));
  assert.equal([error.code, (error as DeviceError).reason], ['corrupt_response', 'early']);
  assert.match(error.message, /adapter does not echo/);
});

for (const order of ['the look', 'the reader']) {
  test(`DEV-048 a program that is held up does not take an early reply for one in time, though ${order} gets to it first`, async () => {
    const { pipe, clock, master, read, hold } = await line((buffer, _, n) => {
      if (n === 1) return buffer.send(SHOWS_5);
      buffer.isHeldUp = false;
      clock.after(15, () => buffer.send(SHOWS_0));
    });
    pipe.isHeldUp = true;
    hold((n) => n === 1, order === 'the reader');
    assert.is(await read(), '00');
    assert.equal([master.statistics.untimed, master.statistics.early], [1, 0]);
  });
}

test('a program that is held up from before the reply until after the time-out has had one, and asks again for a reading of now', async () => {
  const { clock, master, read } = await line((buffer, _, n) => {
    if (n > 1) {
      buffer.isHeldUp = false;
      clock.after(15, () => buffer.send(SHOWS_0));
      return;
    }
    clock.after(9, () => {
      buffer.isHeldUp = true;
      buffer.send(SHOWS_5);
    });
  });
  assert.is(await read(), '00');
  assert.equal([master.statistics.timeouts, master.statistics.untimed], [0, 1]);
});

test('DEV-048 a program that is held up each time gives up after five questions', async () => {
  const { pipe, master, run, heard, hold } = await line((buffer) => buffer.send(SHOWS_5));
  pipe.isHeldUp = true;
  hold(() => true);
  const error = await run(failure(master.run((session) => session.read(readCoils))));
  assert.equal([error.code, (error as DeviceError).reason], ['corrupt_response', 'untimed']);
  assert.match(error.message, /answered 5 times while this program was held up/);
  assert.is(heard() % 5, 0);
});

test('DEV-048 pacing=none is for pseudo-terminals: a real port refuses to be opened with it', async () => {
  const port = openByteTransport('serial:/dev/null?pacing=none', { baud: 9600 });
  assert.is(port.isPaced, false);
  const error: TransportError = await port.open().then(
    () => assert.unreachable(),
    (cause) => cause,
  );
  assert.is(error.code, 'port_forbidden');
  assert.match(error.message, /is not a pseudo-terminal, so pacing=none is refused; remove it/);
  assert.is(openByteTransport('/dev/ttyACM1', { baud: 9600 }).isPaced, true);
});

test.run();
