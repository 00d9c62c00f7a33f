import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { test } from '../../test-kit/suite.ts';
import { StatusLine } from './status-line.ts';

const screenOf = (columns: number) => {
  const written: string[] = [];
  return { columns, written, write: (text: string) => written.push(text) };
};

test('the line is drawn at most ten times a second and only when it changed', async () => {
  const clock = new SteppedClock();
  const screen = screenOf(40);
  let n = 0;
  const line = new StatusLine(screen, clock, () => `step ${n}`);
  line.start();
  for (let ms = 0; ms < 1000; ms += 10) {
    n++;
    await clock.advance(10);
  }
  const drawings = screen.written.filter((text) => text.startsWith('step'));
  assert.ok(drawings.length <= 11, `${drawings.length} drawings`);
  const before = screen.written.length;
  await clock.advance(1000);
  assert.ok(screen.written.length - before <= 2, 'nothing new is not drawn');
  line.stop();
});

test('after stop the line is gone and no timer is left', async () => {
  const clock = new SteppedClock();
  const screen = screenOf(40);
  const line = new StatusLine(screen, clock, () => 'busy');
  line.start();
  line.stop();
  assert.is(screen.written.at(-1), '\r\x1b[J');
  assert.is(clock.pending, 0);
});

test('the line is cut to the width of the terminal', () => {
  const screen = screenOf(10);
  const line = new StatusLine(screen, new SteppedClock(), () => 'a much longer text');
  line.start();
  assert.is(screen.written[0], 'a much lo');
  line.stop();
});

test('a window made narrower loses all rows of the wrapped line', () => {
  const screen = { ...screenOf(40) };
  const line = new StatusLine(screen, new SteppedClock(), () => 'x'.repeat(39));
  line.start();
  screen.columns = 10;
  line.stop();
  assert.is(screen.written.at(-1), '\x1b[3A\r\x1b[J');
});

test('what else is written comes in place of the line', () => {
  const screen = screenOf(40);
  const line = new StatusLine(screen, new SteppedClock(), () => 'busy');
  line.start();
  line.around(() => screen.write('[passed] goal\n'));
  assert.equal(screen.written, ['busy', '\r\x1b[J', '[passed] goal\n']);
  line.stop();
});

test('while the operator is asked nothing is drawn', async () => {
  const clock = new SteppedClock();
  const screen = screenOf(40);
  const line = new StatusLine(screen, clock, () => 'busy');
  line.start();
  await line.hidden(() => clock.advance(500));
  assert.equal(screen.written, ['busy', '\r\x1b[J']);
  await clock.advance(100);
  assert.is(screen.written.at(-1), 'busy');
  line.stop();
});

test.run();
