import * as assert from 'uvu/assert';
import { SteppedClock } from '../../../src/lib/clock/stepped-clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { MachineHangsError, MachineWatch } from './machine-watch.ts';

const test = suite('limits in the time of a machine');
const HOUR_MS = 3_600_000;

/** A machine whose seconds the test sets, with a host whose hours it lets pass. */
function watched() {
  const host = new SteppedClock();
  const machine = { seconds: 100, ended: undefined as string | undefined, answers: true };
  const watch = new MachineWatch(
    {
      readSeconds: () => (machine.answers ? Promise.resolve(machine.seconds) : new Promise(() => {})),
      ended: () => machine.ended,
      lastWords: () => 'Kernel panic',
    },
    host,
  );
  return { host, machine, watch };
}

/** What became of a wait so far. */
function outcome(wait: Promise<unknown>) {
  const seen = { text: 'waits', fault: undefined as unknown };
  wait.then(
    () => {
      seen.text = 'done';
    },
    (fault: Error) => {
      seen.text = fault.message;
      seen.fault = fault;
    },
  );
  return seen;
}

test('a machine that is slow is waited for as long as it gets further', async () => {
  const { host, machine, watch } = watched();
  const seen = outcome(watch.until('a shell', 60, async () => machine.seconds >= 150));
  for (let second = 0; second < 50; second++) {
    assert.is(seen.text, 'waits');
    await host.advance(HOUR_MS / 6);
    machine.seconds += 1;
  }
  await host.advance(2000);
  assert.is(seen.text, 'done');
  assert.is(host.pending, 0);
});

test('a machine in which time passes and nothing comes hangs, and its console is told', async () => {
  const { host, machine, watch } = watched();
  const seen = outcome(watch.until('a shell', 60, async () => false));
  for (let second = 0; second < 60; second++) {
    await host.advance(1000);
    machine.seconds += 1;
    assert.is(seen.text, 'waits');
  }
  machine.seconds += 1;
  await host.advance(2000);
  assert.instance(seen.fault, MachineHangsError);
  assert.is(seen.text, "a shell: not within 60 s of the machine's time; its console ends with\nKernel panic");
  assert.is(host.pending, 0);
});

for (const [what, answers] of [
  ['whose time stands still', true],
  ['that does not answer any more', false],
] as const)
  test(`a machine ${what} hangs, also while something in it is waited for that never ends`, async () => {
    const { host, machine, watch } = watched();
    let isAborted = false;
    const seen = outcome(
      watch.within('a command', 60, (signal) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
        });
        return new Promise(() => {});
      }),
    );
    await host.advance(3000);
    machine.answers = answers;
    await host.advance(HOUR_MS / 6);
    assert.is(seen.text, 'waits');
    await host.advance(HOUR_MS / 6);
    assert.match(seen.text, /a command: the machine stands still/);
    assert.ok(isAborted);
    assert.is(host.pending, 0);
  });

test('a machine that has ended is not waited for', async () => {
  const { host, machine, watch } = watched();
  const seen = outcome(watch.until('a shell', 60, async () => false));
  machine.ended = 'QEMU has ended (1) no such device';
  await host.advance(1000);
  assert.match(seen.text, /^a shell: QEMU has ended \(1\) no such device; its console/);
});

test.run();
