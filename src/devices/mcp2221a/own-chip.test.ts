import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import type { HidEndpoint, HidTransport } from '../../transports/hid/hid-transport.ts';
import { HidPipe } from '../../transports/memory/hid-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { failure } from '../failure.ts';
import { Mcp2221a } from './driver.ts';
import { Mcp2221aTwin } from './twin.ts';

const test = suite('mcp2221a driver: which chip');

/** Two plugged chips behind one address; reports go to the one that is open. */
class TwoChips implements HidTransport {
  readonly address = 'hid:04d8:00dd';
  readonly pipes = [new HidPipe({ address: 'first' }), new HidPipe({ address: 'second' })] as const;
  #open: HidPipe = this.pipes[0];

  get endpoint(): HidEndpoint | undefined {
    return this.#open.endpoint;
  }

  async open(): Promise<void> {
    if (this.endpoint) return;
    [this.#open] = this.pipes;
    await this.#open.open();
  }

  async openOther(tried: ReadonlySet<string>): Promise<boolean> {
    const other = this.pipes.find(({ address }) => !tried.has(address));
    if (!other) return false;
    await this.#open.close();
    this.#open = other;
    await other.open();
    return true;
  }

  close = () => this.#open.close();
  write = (report: Uint8Array) => this.#open.write(report);

  onReport(listener: (report: Uint8Array) => void): () => void {
    const ends = this.pipes.map((pipe) => pipe.onReport(listener));
    return () => {
      for (const end of ends) end();
    };
  }

  onClosed = () => () => {};
}

/** Chips `first` and `second` with 1 V and 2 V at G1; `second` is the one that belongs here. */
function twoChips(serials = ['first', 'second']) {
  const clock = new SteppedClock();
  const transport = new TwoChips();
  const asked: number[][] = [[], []];
  const twins = transport.pipes.map((pipe, index) => {
    const twin = new Mcp2221aTwin({ clock, random: seededRandom(1), volts: () => 1 + index });
    twin.knobs.patch({ factory_serial: serials[index] });
    twin.connect((report) => pipe.send(report));
    pipe.onWritten((report) => {
      asked[index]?.push(report[0] ?? 0);
      twin.receive(report);
    });
    return twin;
  });
  const adc = new Mcp2221a(transport, {
    clock,
    objection: ({ factory }) => (factory === 'second' ? undefined : `it is ${factory}, not second`),
  });
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  return { clock, transport, twins, asked, adc, step };
}

test('DEV-052 the chip that belongs here is found behind another one, of which only the flash was read', async () => {
  const { adc, step, transport, asked } = twoChips();
  await step(adc.open());
  assert.is(transport.endpoint?.path, 'second');
  assert.ok(Math.abs((await step(adc.read(1))).volts - 2) < 0.01);
  assert.not(
    asked[0]?.some((command) => command === 0x60),
    'its settings are left alone',
  );
  await adc.close();
});

test('DEV-052 without the chip that belongs here no other one is set up or read', async () => {
  const { adc, step, asked, clock, twins } = twoChips(['first', 'third']);
  const error = await step(failure(adc.open()));
  assert.equal([error.code, error.reason], ['wrong_device', 'serial']);
  assert.match(error.message, 'it is first, not second');
  adc.keepOpen();
  await clock.advance(1000);
  assert.is((await failure(adc.read(1))).code, 'wrong_device');
  assert.not(asked.flat().includes(0x60));
  twins[1]?.knobs.patch({ factory_serial: 'second' });
  await clock.advance(5050);
  assert.ok(Math.abs((await step(adc.read(1))).volts - 2) < 0.01);
  await step(adc.close());
  assert.is(clock.pending, 0);
});

for (const silent of [0, 1])
  test(`DEV-051 DEV-052 chip ${silent + 1} of two is silent: the right one is found, once it answers`, async () => {
    const { adc, step, clock, twins } = twoChips();
    twins[silent]?.knobs.patch({ silent: true });
    adc.keepOpen();
    await clock.advance(20_000);
    if (silent === 1) {
      assert.is((await failure(adc.read(1))).code, 'device_unavailable');
      twins[1]?.knobs.patch({ silent: false });
      await clock.advance(2000);
    }
    assert.ok(Math.abs((await step(adc.read(1))).volts - 2) < 0.01);
    await step(adc.close());
    assert.is(clock.pending, 0);
  });

test('DEV-052 a swapped chip is refused when the handle is opened again, and the first one taken back', async () => {
  const { adc, step, clock, twins, transport } = twoChips(['first', 'second']);
  await step(adc.open());
  twins[1]?.knobs.patch({ factory_serial: 'third' });
  twins[1]?.faultOnce({ silent: true });
  assert.is((await step(failure(adc.read(1)))).code, 'device_timeout');
  await clock.advance(5000);
  assert.is((await failure(adc.read(1))).code, 'wrong_device');
  twins[1]?.knobs.patch({ factory_serial: 'second' });
  await clock.advance(5050);
  assert.is(transport.endpoint?.path, 'second');
  await step(adc.close());
});

test.run();
