import * as assert from 'uvu/assert';
import { DeviceError } from '../../devices/device-error.ts';
import type { UartPair, UartSample } from '../../devices/dfr1184/driver.ts';
import {
  isPossible,
  PROBE,
  READ_SAMPLE,
  rawOf,
  selectInput,
  type UartInput,
  voltsOf,
} from '../../devices/dfr1184/protocol.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import type { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { stressUart, type UartReader } from './dfr1184.ts';
import { noStress } from './stress-report.ts';

const test = suite('dfr1184 stress');

for (const [exchanges, atLineRate] of [
  [2000, false],
  [600, true],
] as const) {
  const how = atLineRate ? 'at line rate' : 'in lumps';
  test(`DEV-013 DEV-015 DEV-016 DEV-042 DEV-043 ${exchanges} exchanges ${how} under faults: no wrong value, all recovered`, () =>
    survives(exchanges, atLineRate));
}

async function survives(exchanges: number, atLineRate: boolean) {
  const report = await stressUart({ exchanges, seed: 20_250_115, atLineRate });
  assert.equal({ ...report, exchanges: 0, faults: {}, recovered: 0 }, noStress());
  // The faults were really there.
  assert.ok(report.exchanges >= exchanges);
  assert.ok(report.recovered >= exchanges / 100, JSON.stringify(report));
  const kinds = [
    'late_ms',
    'doubled',
    'truncate',
    'corrupt',
    'foreign',
    'silent',
    'stale_byte',
    'extra_byte',
  ];
  for (const kind of [...kinds, 'unplug']) assert.ok((report.faults[kind] ?? 0) >= 1, JSON.stringify(report));
}

test('the same faults give wrong values to a reader that drains in silence and never resyncs', async () => {
  const report = await stressUart({
    exchanges: 2000,
    seed: 20_250_115,
    reader: (pipe, clock) => new CarelessReader(pipe, clock),
  });
  assert.ok(report.wrongValues >= 5, JSON.stringify(report));
  assert.ok(report.falseConfirmations > 0, JSON.stringify(report));
});

test('DEV-047 the same seed gives the same run', async () => {
  const [first, second] = [
    await stressUart({ exchanges: 300, seed: 3 }),
    await stressUart({ exchanges: 300, seed: 3 }),
  ];
  assert.equal(first, second);
});

/** Select, wait, drain, ask, take the first three bytes, check their range: the obvious reader, on the same line. */
class CarelessReader implements UartReader {
  readonly #pipe: BytePipe;
  readonly #clock: Clock;
  #received: number[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(pipe: BytePipe, clock: Clock) {
    this.#pipe = pipe;
    this.#clock = clock;
    pipe.onBytes((bytes) => this.#received.push(...bytes));
  }

  open = () => this.#pipe.open();
  close = () => this.#pipe.close();
  readText = (input: UartInput) => this.read(input);

  read(input: UartInput): Promise<UartSample> {
    return this.#inTurn(async () => {
      await this.#pipe.write(selectInput(input));
      await this.#clock.sleep(20);
      const raw = rawOf(Uint8Array.from(await this.#ask(READ_SAMPLE, 3)));
      if (raw === undefined || !isPossible(raw)) throw new DeviceError('corrupt_response', 'out of range');
      return {
        input,
        raw,
        volts: voltsOf(raw),
        overRange: false,
        isProven: false,
        observedAt: this.#clock.now(),
      };
    });
  }

  async readBoth(): Promise<UartPair> {
    const [first, second] = await Promise.allSettled([this.read(1), this.read(2)]);
    return [first, second];
  }

  probe(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#ask(PROBE, 2);
    });
  }

  async #ask(request: Uint8Array, count: number): Promise<number[]> {
    this.#received = [];
    await this.#pipe.write(request);
    for (let ms = 0; ms < 1000; ms += 5) {
      await this.#clock.sleep(5);
      if (this.#received.length >= count) return this.#received.slice(0, count);
    }
    throw new DeviceError('device_timeout', 'no answer');
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      if (!this.#pipe.isOpen) await this.#pipe.open().catch(() => {});
      if (!this.#pipe.isOpen) throw new DeviceError('device_unavailable', 'unplugged');
      return work();
    });
    this.#last = turn.catch(() => {});
    return turn;
  }
}

test.run();
