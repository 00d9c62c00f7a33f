import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import { SteppedClock } from '../../../lib/clock/stepped-clock.ts';
import type { StreamEntry } from '../../../lib/http/reply.ts';
import { suite } from '../../../test-kit/suite.ts';
import { followEvents } from './follow-events.ts';

const test = suite('following the events of a run');
const folder = mkdtempSync(join(tmpdir(), 'follow-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** A record that grows, and a client that takes what comes. */
class Following {
  readonly path = join(folder, `${++files}.ndjson`);
  readonly clock = new SteppedClock();
  readonly stop = new AbortController();
  readonly got: (number | string)[] = [];
  readonly retries: number[] = [];
  readonly faults: [id: unknown, reason: string, temporary: boolean][] = [];
  alive = 0;
  lastAlive: unknown;
  readonly #listeners = new Set<() => void>();
  bytes = 0;
  isOver = false;
  readonly lastSeq = undefined;
  readonly unrecordedEnd = undefined;
  done = false;

  constructor(after = -1) {
    writeFileSync(this.path, '');
    void this.#take(
      followEvents(this, after, {
        clock: this.clock,
        signal: this.stop.signal,
        alive: async () => ({ number: ++this.alive }),
      }),
    );
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  async write(...types: string[]): Promise<void> {
    for (const type of types) this.#append({ seq: this.#seq++, type });
    for (const listener of [...this.#listeners]) listener();
    await this.settle();
  }

  /** What is no event. */
  async damage(line: string): Promise<void> {
    appendFileSync(this.path, `${line}\n`);
    this.bytes += line.length + 1;
    for (const listener of [...this.#listeners]) listener();
    await this.settle();
  }

  /** It has no more to come. */
  async end(): Promise<void> {
    this.isOver = true;
    for (const listener of [...this.#listeners]) listener();
    await this.settle(() => this.done);
  }

  #seq = 0;

  #append(event: object): void {
    const line = `${JSON.stringify(event)}\n`;
    appendFileSync(this.path, line);
    this.bytes += line.length;
  }

  async #take(events: AsyncIterable<StreamEntry>): Promise<void> {
    for await (const event of events) {
      if ('retry' in event) this.retries.push(event.retry);
      else if ('comment' in event) this.got.push('comment');
      else if ('json' in event) this.got.push('batch');
      else if (event.event === 'alive') this.lastAlive = event.data;
      else if (event.event === 'record-fault') {
        const { reason, temporary } = event.data as { reason: string; temporary: boolean };
        this.faults.push([event.id, reason.replaceAll(this.path, 'PATH'), temporary]);
      } else this.got.push(Number(event.id));
    }
    this.done = true;
  }

  /** Files are read in real time. */
  async settle(wanted: () => boolean = () => this.listeners > 0 || this.done): Promise<void> {
    do {
      await systemClock.sleep(1);
      await turn();
    } while (!wanted());
  }
}

test('SVC-045 what is written comes in order, and the stream ends with run.end', async () => {
  const following = new Following();
  await following.write('run.start', 'log');
  assert.equal([following.got, following.done], [[0, 1], false]);
  await following.write('run.end');
  assert.equal([following.got, following.done, following.listeners], [[0, 1, 2], true, 0]);
});

test('SVC-045 after a number only what is behind it comes', async () => {
  const following = new Following(1);
  await following.write('run.start', 'log', 'log', 'run.end');
  assert.equal(following.got, [2, 3]);
});

test('SVC-045 a comment every 15 s, in silence and in traffic', async () => {
  const following = new Following();
  await following.write('run.start');
  await following.clock.advance(14_999);
  await following.settle();
  assert.equal(following.got, [0]);
  await following.clock.advance(1);
  await following.settle(() => following.got.length > 1);
  assert.equal(following.got, [0, 'comment']);
  for (let n = 0; n < 4; n++) {
    await following.settle();
    await following.clock.advance(5000);
    await following.settle();
    await following.write('log');
  }
  await following.settle();
  assert.is(following.got.filter((one) => one === 'comment').length, 2);
  following.stop.abort();
  await following.settle();
});

test('SVC-069 an event alive comes every 500 ms, in silence and in traffic, and the client is asked to reconnect at once', async () => {
  const following = new Following();
  await following.settle();
  assert.equal(following.retries, [500]);
  for (let n = 1; n <= 6; n++) {
    await following.clock.advance(499);
    await following.write('log');
    assert.is(following.alive, n - 1);
    await following.clock.advance(1);
    await following.settle(() => following.alive === n);
    await following.settle();
  }
  assert.equal(following.lastAlive, { number: 6 });
  assert.equal(following.got, [0, 1, 2, 3, 4, 5]);
  following.stop.abort();
  await following.settle();
});

test('SVC-045 a damaged line hides only itself and is reported: what stands before and behind it comes', async () => {
  for (const line of ['{"seq":1,"ty', 'null', '{"type":"log"}']) {
    const following = new Following();
    await following.write('run.start');
    await following.damage(line);
    await following.write('log', 'run.end');
    assert.equal([following.got, following.done], [[0, 1, 2], true], line);
    assert.equal(following.faults, [
      [undefined, 'line 2 of PATH is damaged and left out; svcctl verify shows what differs', false],
    ]);
  }
});

test('SVC-045 a record without its last event, or that cannot be read, ends the stream with the reason', async () => {
  const cut = new Following();
  await cut.write('run.start', 'log');
  await cut.end();
  assert.equal(cut.got, [0, 1]);
  assert.equal(cut.faults, [[undefined, 'PATH has no last event; svcctl verify shows what differs', false]]);
  const gone = new Following();
  await gone.write('run.start');
  rmSync(gone.path);
  await gone.write('log').catch(() => {});
  rmSync(gone.path);
  await gone.end();
  assert.match(gone.faults[0]?.[1] ?? '', /^PATH cannot be read: ENOENT/);
  assert.is(gone.faults[0]?.[2], true, 'a later stream may read it');
});

test('no caller waits any more when the client has gone or the service ends', async () => {
  const following = new Following();
  await following.settle();
  following.stop.abort();
  await following.settle();
  assert.equal([following.done, following.listeners, following.clock.pending], [true, 0, 0]);
});

test.run();
