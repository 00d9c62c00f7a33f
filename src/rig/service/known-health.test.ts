import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { KnownHealth } from './known-health.ts';

const test = suite('what is known of a device');

/** A device that answers when the test says so. */
function asked() {
  const clock = new SteppedClock();
  const answers: ((health: string) => void)[] = [];
  const known = new KnownHealth<string>({
    clock,
    probe: () => new Promise((resolve) => answers.push(resolve)),
    silent: (ms) => `silent for ${ms} ms`,
  });
  /** What is answered within `ms` of the clock. */
  const within = async (ms: number) => {
    const answer = known.get(ms);
    await clock.advance(ms);
    return answer;
  };
  return { clock, known, answers, within };
}

test('SVC-059 a device that answers in time is shown as it answers', async () => {
  const { known, answers, clock } = asked();
  const answer = known.get(60);
  await clock.advance(10);
  answers[0]?.('well');
  assert.is(await answer, 'well');
});

test('SVC-059 a device that is slow is shown as it was before, a silent one is named as silent', async () => {
  const { known, answers, clock, within } = asked();
  const first = known.get(60);
  await clock.advance(1);
  answers[0]?.('well');
  await first;
  assert.is(await within(60), 'well');
  await clock.advance(340);
  assert.is(await within(60), 'well');
  await clock.advance(200);
  assert.is(await within(60), 'silent for 720 ms');
  answers[1]?.('timeout');
  await clock.advance(1);
  assert.is(await within(60), 'timeout');
});

test('SVC-059 a device that was never asked before is not shown as well', async () => {
  const { within } = asked();
  assert.is(await within(60), 'silent for 60 ms');
});

test('SVC-059 who takes what was found a moment ago asks no device; what began too long ago does not serve', async () => {
  const { known, answers, clock } = asked();
  const first = known.get(60, 2000);
  await clock.advance(20);
  answers[0]?.('well');
  assert.is(await first, 'well');
  await clock.advance(1979);
  assert.is(await known.get(60, 2000), 'well');
  assert.is(answers.length, 1);
  await clock.advance(1);
  const next = known.get(60, 2000);
  await clock.advance(1);
  answers[1]?.('held');
  assert.equal([await next, answers.length], ['held', 2]);
  void known.get(60);
  await clock.advance(60);
  assert.is(answers.length, 3, 'without an age each question asks the device');
});

test('a longer wait gets a probe that began after the question', async () => {
  const { known, answers, clock } = asked();
  const short = known.get(60);
  await clock.advance(60);
  assert.match(await short, 'silent');
  const long = known.get(2500);
  await clock.advance(100);
  answers[0]?.('old');
  await clock.advance(100);
  answers[1]?.('new');
  assert.is(await long, 'new');
});

test.run();
