import * as assert from 'uvu/assert';
import { SteppedClock } from '../../../src/lib/clock/stepped-clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { MachineClock } from './machine-clock.ts';
import type { Qmp } from './qmp.ts';

const test = suite('time of an emulated machine');
const PCI = 'id 1b36:000d\r\n      BAR0: 64 bit memory at 0x8000000000 [0x8000003fff].';

/** A machine whose frame index is set by the test. */
function emulated() {
  const host = new SteppedClock();
  const clock = new MachineClock(host);
  let counts = 0;
  const qmp = {
    monitor: async (line: string) =>
      line === 'info pci' ? PCI : `0000008000001000: 0x${counts.toString(16)}`,
  } as unknown as Qmp;
  /** Moves both times on, and lets the clock read them. */
  const pass = async (hostMs: number, machineMs: number) => {
    counts = (counts + machineMs * 8) % 0x4000;
    for (let ms = 0; ms < hostMs; ms += 4) await host.advance(4);
  };
  return { clock, qmp, pass };
}

test('it advances with the frames of the machine, also over the end of their counter', async () => {
  const { clock, qmp, pass } = emulated();
  clock.follow(qmp);
  await pass(8, 0);
  const startMs = clock.monotonic();
  await pass(100, 10);
  assert.is(clock.monotonic() - startMs, 10);
  await pass(2000, 1500);
  await pass(2000, 1500);
  assert.is(clock.monotonic() - startMs, 3010);
  clock.end();
});

test('a timer is due by the time of the machine, counted from the reading after it was set', async () => {
  const { clock, qmp, pass } = emulated();
  clock.follow(qmp);
  await pass(8, 0);
  const fired: string[] = [];
  clock.after(20, () => fired.push('late'));
  clock.after(10, () => fired.push('early'));
  clock.after(5, () => fired.push('cancelled'))();
  await pass(400, 0);
  assert.equal(fired, []);
  await pass(8, 12);
  assert.equal(fired, ['early']);
  await pass(8, 12);
  assert.equal(fired, ['early', 'late']);
  clock.end();
});

test('a controller that the kernel has not placed yet is looked for again', async () => {
  const host = new SteppedClock();
  const clock = new MachineClock(host);
  let [pci, counts] = [PCI.replace('0x8000000000', '0xffffffffffffffff'), 0];
  const monitor = async (line: string) => {
    if (line === 'info pci') return pci;
    return line.endsWith(' 0x8000001000')
      ? `0000008000001000: 0x${counts.toString(16)}`
      : 'Cannot access memory';
  };
  clock.follow({ monitor } as unknown as Qmp);
  for (let ms = 0; ms < 40; ms += 4) await host.advance(4);
  pci = PCI;
  for (let ms = 0; ms < 40; ms += 4) await host.advance(4);
  const startMs = clock.monotonic();
  counts += 80;
  for (let ms = 0; ms < 40; ms += 4) await host.advance(4);
  assert.is(clock.monotonic() - startMs, 10);
  clock.end();
});

test('while the machine is off it is the time of the host', async () => {
  const { clock, qmp, pass } = emulated();
  clock.follow(qmp);
  await pass(8, 0);
  clock.release();
  const startMs = clock.monotonic();
  await pass(100, 0);
  assert.ok(clock.monotonic() - startMs >= 92, String(clock.monotonic() - startMs));
  clock.end();
});

test.run();
