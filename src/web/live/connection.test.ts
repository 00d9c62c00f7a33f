import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { type ConnectionState, LiveConnection, type StreamHandlers } from './connection.ts';

const test = suite('connection of the page');

class Page {
  readonly clock = new SteppedClock();
  readonly states: ConnectionState[] = [];
  readonly opened: (string | undefined)[] = [];
  handlers: StreamHandlers | undefined;
  open = 0;
  health: () => Promise<number> = async () => 200;
  readonly live = new LiveConnection({
    clock: this.clock,
    open: (last, handlers) => {
      this.opened.push(last);
      this.handlers = handlers;
      this.open += 1;
      return {
        close: () => {
          this.open -= 1;
        },
      };
    },
    health: () => this.health(),
    onState: (state) => this.states.push(state),
    onAlive: () => {},
    onRun: () => {},
  });

  get state(): ConnectionState | undefined {
    return this.states.at(-1);
  }

  /** The event `alive`, so long after it was sent. */
  hear(delayMs: number): void {
    const time = new Date(this.clock.now() - delayMs).toISOString();
    this.handlers?.alive(JSON.stringify({ time }));
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 50) await this.clock.advance(50);
  }
}

test('PAGE-003 silence of 1.5 s is told within 2 s, with the time of the last sign of life', async () => {
  const page = new Page();
  page.live.start();
  page.handlers?.alive('{}');
  assert.is(page.state?.kind, 'ok');
  const heard = page.clock.now();
  await page.pass(1400);
  assert.is(page.state?.kind, 'ok');
  await page.pass(600);
  assert.equal(page.state, { kind: 'lost', since: heard, reason: 'stream' });
});

test('PAGE-003 a stream that delivers late is not current, until a new one is measured', async () => {
  const page = new Page();
  const hear = (delayMs: number) => page.hear(delayMs);
  page.live.start();
  for (let i = 0; i < 4; i++) {
    hear(100);
    await page.pass(500);
  }
  assert.is(page.state?.kind, 'ok');
  for (let i = 0; i < 3; i++) {
    hear(1700);
    await page.pass(500);
  }
  assert.is(page.state?.kind, 'lost');
  assert.ok(page.opened.length > 1);
  hear(1700);
  assert.is(page.state?.kind, 'ok', 'the clock of the rig was set');
});

test('PAGE-003 a page whose browser is too slow shows nothing old as current, however much arrives', async () => {
  const page = new Page();
  page.live.start();
  page.hear(0);
  await page.pass(500);
  let seq = 0;
  while (page.opened.length === 1 && seq < 10) {
    page.hear(1700);
    page.handlers?.run('{}', `r-1/${++seq}`);
    await page.pass(500);
  }
  assert.is(page.state?.kind, 'lost');
  assert.is(page.opened.at(-1), `r-1/${seq}`, 'it goes on where it is, by a stream without what is held up');
  page.handlers?.run('{}', `r-1/${seq + 1}`);
  assert.is(page.state?.kind, 'ok');
});

test('PAGE-003 a server that hangs is told apart from one that is gone and from one that refuses', async () => {
  const reasons: [health: () => Promise<number>, reason: string][] = [
    [() => Promise.reject(new DOMException('late', 'TimeoutError')), 'frozen'],
    [() => Promise.reject(new TypeError('no connection')), 'unreachable'],
    [async () => 401, 'refused'],
  ];
  for (const [health, reason] of reasons) {
    const page = new Page();
    page.health = health;
    page.live.start();
    await page.pass(2000);
    assert.equal(page.state?.kind === 'lost' && page.state.reason, reason);
  }
});

test('PAGE-003 a lost stream is opened anew by itself with the last id, one at a time', async () => {
  const page = new Page();
  page.live.start();
  page.handlers?.run('{}', 'r-1/7');
  await page.pass(3000);
  assert.ok(page.opened.length > 1);
  assert.is(page.opened.at(-1), 'r-1/7');
  assert.is(page.open, 1);
  page.handlers?.alive('{}');
  assert.is(page.state?.kind, 'ok');
});

test('PAGE-003 a stream that the browser has given up, as after a 503, is opened anew', async () => {
  const page = new Page();
  page.live.start();
  page.handlers?.closed();
  await page.pass(1000);
  assert.is(page.opened.length, 2);
});

test('a hidden tab has no stream; shown again it catches up by its last id', async () => {
  const page = new Page();
  page.live.start();
  page.handlers?.run('{}', 'r-1/7');
  page.live.pause();
  assert.is(page.open, 0);
  await page.pass(10_000);
  assert.is(page.open, 0);
  page.live.resume();
  assert.equal([page.open, page.opened.at(-1)], [1, 'r-1/7']);
});

test.run();
