import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { Phases } from './phases.ts';

const test = suite('phases');

function on(terminal: { isTTY?: boolean }, env: Record<string, string> = {}) {
  const clock = new SteppedClock();
  const written: string[] = [];
  const phases = new Phases({ ...terminal, write: (text: string) => written.push(text) }, clock, env);
  return { clock, phases, text: () => written.join('') };
}

test('without a terminal each phase is one plain line at its end', async () => {
  const { clock, phases, text } = on({});
  const result = phases.run('svc-bench', async () => {
    await clock.sleep(1234);
    return ['http://127.0.0.1:8290', 7];
  });
  await clock.advance(1234);
  assert.is(await result, 7);
  assert.is(text(), '  \u2713 svc-bench     1.2 s  http://127.0.0.1:8290\n');
});

test('a phase that fails has a cross and passes its error on', async () => {
  const { phases, text } = on({});
  try {
    await phases.run('svc-bridge', () => Promise.reject(new Error('no')));
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), 'no');
  }
  assert.is(text(), '  \u2717 svc-bridge    0.0 s\n');
});

test('on a terminal the running phase is shown, and what is said comes in its place', async () => {
  const { phases, text } = on({ isTTY: true }, { NO_COLOR: '1' });
  await phases.run('stopped', async () => {
    phases.say('stopping already');
    return ['all off', undefined];
  });
  const open = '  \u2026 stopped';
  const clear = '\r\x1b[K';
  assert.is(
    text(),
    `${open}${clear}stopping already\n${open}${clear}  \u2713 stopped       0.0 s  all off\n`,
  );
});

test.run();
