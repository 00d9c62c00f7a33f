import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Clock, systemClock } from '../../../lib/clock/clock.ts';
import type { ServerSentEvent, StreamEntry, WrittenEvent } from '../../../lib/http/reply.ts';
import type { RunEvent } from '../../../scenario/events/event.ts';
import { suite } from '../../../test-kit/suite.ts';
import type { Followed } from '../runs/follow-events.ts';
import { liveEvents, livePosition } from './live-events.ts';
import { SharedBatches } from './shared-batches.ts';

const test = suite('event stream of a page');
const folder = mkdtempSync(join(tmpdir(), 'live-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** A record that grows. */
class Record {
  readonly path: string;
  bytes = 0;
  isOver = false;
  readonly lastSeq = undefined;
  readonly unrecordedEnd = undefined;
  #seq = 0;

  constructor(name: string) {
    this.path = join(folder, name);
    writeFileSync(this.path, '');
  }

  write(count: number, type = 'log'): void {
    for (let i = 0; i < count; i++) {
      const line = `${JSON.stringify({ seq: this.#seq++, t: this.#seq, type, level: 'info', message: 'x' })}\n`;
      appendFileSync(this.path, line);
      this.bytes += line.length;
    }
  }

  /** As a fault of the disk leaves it. */
  writeDamaged(): void {
    const line = '{"seq":\u0000\n';
    appendFileSync(this.path, line);
    this.bytes += line.length;
    this.#seq++;
  }

  onChange(): () => void {
    return () => {};
  }
}

interface Opened {
  next: (event: string) => Promise<ServerSentEvent>;
  close: () => Promise<void>;
}

function opened(
  records: { [id: string]: Followed },
  current: () => string | null,
  from?: string,
  clock: Clock = systemClock,
  batches = new SharedBatches(),
): Opened {
  const stop = new AbortController();
  const stream = liveEvents(
    {
      alive: async (isFirst, runFault) => ({ isFirst, runFault }),
      currentRun: current,
      followed: (id) => {
        const record = records[id];
        if (!record) throw new Error(`no record ${id}`);
        return record;
      },
      batches,
    },
    { from: livePosition(from), clock, signal: stop.signal },
  );
  const isWanted = (entry: StreamEntry, event: string): entry is ServerSentEvent | WrittenEvent =>
    'event' in entry && entry.event === event;
  return {
    next: async (event) => {
      for (;;) {
        const { value, done } = await stream.next();
        if (done) throw new Error(`the stream ended without ${event}`);
        if (!isWanted(value, event)) continue;
        return 'json' in value ? { ...value, data: JSON.parse(value.json) } : value;
      }
    },
    close: async () => {
      stop.abort();
      await stream.return(undefined);
    },
  };
}

test('SVC-069 `alive` comes at once and goes on without a run', async () => {
  const page = opened({}, () => null);
  assert.equal((await page.next('alive')).data, { isFirst: true, runFault: null });
  assert.equal((await page.next('alive')).data, { isFirst: false, runFault: null });
  await page.close();
});

test('SVC-045 events of the run have an id, and a page that comes again gets those it has not had', async () => {
  const record = new Record('one');
  record.write(5);
  const first = opened({ 'r-1': record }, () => 'r-1');
  const { id, data } = await first.next('run');
  assert.is(id, 'r-1/4');
  assert.equal(
    (data as { events: { seq: number }[] }).events.map(({ seq }) => seq),
    [0, 1, 2, 3, 4],
  );
  await first.close();
  record.write(2);
  const again = opened({ 'r-1': record }, () => 'r-1', 'r-1/4');
  assert.equal(((await again.next('run')).data as { first: number; last: number }).first, 5);
  await again.close();
});

test('a page that has the events of an earlier run gets all of the current one', async () => {
  const record = new Record('two');
  record.write(3);
  const page = opened({ 'r-2': record }, () => 'r-2', 'r-1/2');
  assert.is(((await page.next('run')).data as { first: number }).first, 0);
  await page.close();
});

test('another run that begins takes the place of the one that has ended', async () => {
  const [old, young] = [new Record('old'), new Record('young')];
  old.write(1);
  old.write(1, 'run.end');
  old.isOver = true;
  let current = 'r-1';
  const page = opened({ 'r-1': old, 'r-2': young }, () => current);
  assert.is(((await page.next('run')).data as { is_end: boolean }).is_end, true);
  current = 'r-2';
  young.write(1);
  assert.is((await page.next('run')).id, 'r-2/0');
  await page.close();
});

test('PAGE-008 a long record comes in bounded parts', async () => {
  const record = new Record('long');
  record.write(8000);
  const page = opened({ 'r-1': record }, () => 'r-1');
  const { data } = await page.next('run');
  assert.ok((data as { last: number }).last < 7999, 'not all at once');
  for (let last = 0; last < 7999; ) last = ((await page.next('run')).data as { last: number }).last;
  await page.close();
});

test('what is no id of this stream counts as none', () => {
  for (const text of [undefined, '', '7', 'r-1/', 'r-1/x', 'r 1/2'])
    assert.is(livePosition(text), undefined, text);
});

test('PAGE-003 a record that cannot be read ends no stream: alive says why, and goes on with the next event when it can', async () => {
  const record = new Record('gone');
  record.write(3);
  const records: { [id: string]: Followed } = {};
  const page = opened(records, () => 'gone', 'gone/0');
  await page.next('alive');
  assert.is(((await page.next('alive')).data as { runFault: string }).runFault, 'no record gone');
  records.gone = record;
  const { data } = await page.next('run');
  assert.equal([(data as { first: number }).first, (data as { last: number }).last], [1, 2]);
  assert.is(((await page.next('alive')).data as { runFault: null }).runFault, null);
  const kept = readFileSync(record.path);
  rmSync(record.path);
  record.bytes += 10;
  while (((await page.next('alive')).data as { runFault: string | null }).runFault === null);
  writeFileSync(record.path, kept);
  record.bytes = kept.length;
  record.write(1);
  assert.is(((await page.next('run')).data as { first: number }).first, 3);
  await page.close();
});

test('PAGE-008 events that are still in memory are not read from the record again; those before them are', async () => {
  const record = new Record('recent');
  record.write(2);
  const before = record.bytes;
  record.write(2);
  const kept = readFileSync(record.path, 'utf8').slice(before);
  // Only the lines that are no longer in memory can be read.
  writeFileSync(record.path, readFileSync(record.path, 'utf8').slice(0, before));
  let end = before;
  const recent = kept.split(/(?<=\n)/).map((line) => {
    end += line.length;
    return { event: JSON.parse(line) as RunEvent, end };
  });
  const followed: Followed = {
    ...{ path: record.path, isOver: false, lastSeq: undefined, unrecordedEnd: undefined },
    bytes: before,
    recent: (offset) => (offset < before ? undefined : recent.filter((one) => one.end > offset)),
    onChange: () => () => {},
  };
  const page = opened({ run: followed }, () => 'run');
  assert.equal(firstAndLast(await page.next('run')), [0, 1]);
  assert.equal(firstAndLast(await page.next('run')), [2, 3]);
  await page.close();
});

const firstAndLast = ({ data }: ServerSentEvent) => {
  const { first, last } = data as { first: number; last: number };
  return [first, last];
};

test('PAGE-003 a damaged line hides only itself: what stands before and behind it arrives once, and alive keeps naming it', async () => {
  const record = new Record('damaged');
  record.write(2);
  record.writeDamaged();
  record.write(2);
  let opens = 0;
  const counted = {
    get damaged() {
      opens++;
      return record;
    },
  };
  const page = opened(counted, () => 'damaged');
  const { events } = (await page.next('run')).data as { events: { seq: number }[] };
  assert.equal(
    events.map(({ seq }) => seq),
    [0, 1, 3, 4],
  );
  const named = /^line 3 of .*damaged is damaged and left out; svcctl verify shows what differs$/;
  for (let n = 0; n < 3; n++)
    assert.match(((await page.next('alive')).data as { runFault: string }).runFault, named);
  assert.is(opens, 1, 'the record is not read from its start again');
  record.write(1, 'run.end');
  record.isOver = true;
  const { first, is_end } = (await page.next('run')).data as { first: number; is_end: boolean };
  assert.equal([first, is_end], [5, true]);
  assert.match(((await page.next('alive')).data as { runFault: string }).runFault, named);
  await page.close();
});

test('PAGE-008 pages that wait for the same events get one batch, which is written once; another one is its own', () => {
  const batches = new SharedBatches();
  let written = 0;
  const event = (seq: number) =>
    ({ seq, t: seq, type: 'log', toJSON: () => written++ }) as unknown as RunEvent;
  const events = [event(4), event(5)];
  const [first, again] = [batches.json('r-1', events, false), batches.json('r-1', events, false)];
  assert.is(first, again);
  assert.is(written, 2);
  const others = [
    batches.json('r-2', events, false),
    batches.json('r-1', events, true),
    batches.json('r-1', [event(3), ...events], false),
    batches.json('r-1', [event(5)], false),
  ].map((text) => JSON.parse(text) as { run_id: string; first: number; last: number; is_end: boolean });
  assert.equal(
    others.map(({ run_id, first, last, is_end }) => [run_id, first, last, is_end]),
    [
      ['r-2', 4, 5, false],
      ['r-1', 4, 5, true],
      ['r-1', 3, 5, false],
      ['r-1', 5, 5, false],
    ],
  );
});

test('PAGE-008 up to five pages get 20 batches a second each, more of them share 100 a second, and each gets 10 at least', () => {
  const batches = new SharedBatches();
  const paces: number[] = [];
  const leave = Array.from({ length: 12 }, () => {
    const left = batches.addPage();
    paces.push(batches.paceMs);
    return left;
  });
  // A whole number of batches from one `alive` to the next: none is sent because of that alone.
  const inHalfSecond = paces.map((ms) => 500 / ms);
  assert.equal(inHalfSecond, [10, 10, 10, 10, 10, 8, 7, 6, 5, 5, 5, 5]);
  for (const left of leave.slice(3)) left();
  assert.is(batches.paceMs, 50);
});

test('PAGE-008 a page that has gone takes no share of the batches', async () => {
  const batches = new SharedBatches();
  const pages = Array.from({ length: 8 }, () => opened({}, () => null, undefined, systemClock, batches));
  for (const page of pages) await page.next('alive');
  assert.is(batches.paceMs, 500 / 6);
  for (const page of pages) await page.close();
  assert.is(batches.paceMs, 50);
});

/** Time that the test moves on. Whoever waits for it has set one timer. */
class SteppedClock implements Clock {
  readonly timers = new Map<() => void, number>();
  #ms = 0;

  now = () => this.#ms;
  monotonic = () => this.#ms;

  after(ms: number, action: () => void): () => void {
    this.timers.set(action, this.#ms + ms);
    return () => this.timers.delete(action);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  step(ms: number): void {
    this.#ms += ms;
    for (const [action, due] of [...this.timers]) if (due <= this.#ms && this.timers.delete(action)) action();
  }
}

test('PAGE-008 pages that are up to date get their batches at the same moments', async () => {
  const record = new Record('paced');
  const clock = new SteppedClock();
  const pages: { page: Opened; ranges: string[] }[] = [];
  const open = () => {
    const page = opened({ 'r-1': record }, () => 'r-1', undefined, clock);
    const ranges: string[] = [];
    pages.push({ page, ranges });
    void (async () => {
      for (;;) {
        const { first, last } = (await page.next('run')).data as { first: number; last: number };
        ranges.push(`${first}-${last}`);
      }
    })().catch(() => {});
  };
  for (let step = 0; step < 100; step++) {
    if (step === 3 || step === 7) open();
    record.write(1);
    clock.step(5);
    while (clock.timers.size < pages.length) await new Promise((resolve) => setImmediate(resolve));
  }
  const [ranges = [], others = []] = pages.map((one) => one.ranges);
  assert.ok(ranges.length >= 8, `${ranges}`);
  // The first one or two bring each of them up to date.
  assert.equal(others.slice(2), ranges.slice(-others.length + 2));
  for (const { page } of pages) void page.close();
  clock.step(1000);
});

test.run();
