import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import { SteppedClock } from '../../../lib/clock/stepped-clock.ts';
import type { HttpError } from '../../../lib/http/http-error.ts';
import type { Reply } from '../../../lib/http/reply.ts';
import type { Route } from '../../../lib/http/route.ts';
import { KnownHealth } from '../../../rig/service/known-health.ts';
import { suite } from '../../../test-kit/suite.ts';
import type { Told } from '../firmware.ts';
import type { RunStatus } from '../runs/run-view.ts';
import type { Runs } from '../runs/runs.ts';
import { runRoutes } from './runs.ts';

const test = suite('the event stream of a run');
const folder = mkdtempSync(join(tmpdir(), 'run-events-'));
const path = join(folder, 'events.ndjson');
writeFileSync(path, '');
test.after(() => rmSync(folder, { recursive: true }));

type Json = Record<string, unknown>;

/** A run that goes on, and what the bridge answers; without `said` it hangs. */
interface Rig {
  status: RunStatus;
  said?: Promise<Told> | undefined;
}

function routeOf(clock: SteppedClock, rig: Rig): Route {
  const followed = { path, bytes: 0, isOver: false, lastSeq: undefined, unrecordedEnd: undefined };
  // The route asks for no more of the runs than this.
  const runs = {
    followed: () => ({ ...followed, onChange: () => () => {} }),
    view: () => ({ status: rig.status }),
  } as unknown as Runs;
  const bridge = new KnownHealth<Told>({
    clock,
    probe: () => rig.said ?? new Promise(() => {}),
    silent: (ms) => ({ silence: `no answer for ${ms} ms` }),
  });
  const found = runRoutes(runs, undefined as never, bridge, clock).find(({ paths }) =>
    paths[0]?.endsWith('/runs/:id/events'),
  );
  if (!found) throw new Error('there is no such route');
  return found;
}

const open = async (route: Route, signal: AbortSignal, lastEventId?: string, query = {}): Promise<Reply> =>
  route.run({
    ...{ params: { id: 'r-1' }, query, body: {}, signal, requestId: 'x' },
    header: () => lastEventId,
    refusalOf: () => {
      throw new Error('no part of this fails');
    },
    request: undefined as never,
  });

/** A client that takes what comes. */
class Client {
  readonly #clock: SteppedClock;
  readonly #stop = new AbortController();
  readonly #alive: Json[] = [];
  #reading: Promise<void> = Promise.resolve();

  constructor(clock: SteppedClock) {
    this.#clock = clock;
  }

  async open(rig: Rig): Promise<void> {
    const { stream } = await open(routeOf(this.#clock, rig), this.#stop.signal);
    if (!stream) throw new Error('the answer is not a stream');
    this.#reading = this.#read(stream);
  }

  async #read(texts: AsyncIterable<string>): Promise<void> {
    for await (const text of texts) {
      const [, data] = /^event: alive\ndata: (.*)\n\n$/.exec(text) ?? [];
      if (data !== undefined) this.#alive.push(JSON.parse(data) as Json);
    }
  }

  /** The next event `alive`, when so much time has passed. */
  async next(ms: number): Promise<Json> {
    // The record is read in real time between two of them.
    while (this.#clock.pending === 0) await systemClock.sleep(1);
    await this.#clock.advance(ms);
    while (this.#alive.length === 0) await systemClock.sleep(1);
    return this.#alive.shift() ?? {};
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#clock.advance(500);
    await this.#reading;
  }
}

test('SVC-069 alive reports server time, run and bridge, also of a bridge that refuses', async () => {
  const clock = new SteppedClock();
  const client = new Client(clock);
  const rig: Rig = { status: 'running' };
  await client.open(rig);
  rig.said = Promise.resolve({ said: { mode: 'real', safe_state: 'safe' } });
  assert.equal(await client.next(500), {
    time: '2025-01-01T00:00:00.500Z',
    run: { run_id: 'r-1', status: 'running' },
    bridge: { reachable: true, mode: 'real', safe_state: 'safe' },
  });
  rig.status = 'aborting';
  rig.said = Promise.resolve({ silence: 'refused' });
  assert.equal(await client.next(500), {
    time: '2025-01-01T00:00:01.000Z',
    run: { run_id: 'r-1', status: 'aborting' },
    bridge: { reachable: false, mode: null, safe_state: null },
  });
  await client.close();
});

test('SVC-069 a bridge that begins to hang delays alive by 50 ms, and is reported as reachable once more at most', async () => {
  const clock = new SteppedClock();
  const client = new Client(clock);
  const rig: Rig = { status: 'running', said: Promise.resolve({ said: { mode: 'real' } }) };
  await client.open(rig);
  const reachable: unknown[] = [];
  for (let n = 1; n <= 4; n++) {
    reachable.push(((await client.next(550)).bridge as Json).reachable);
    rig.said = undefined;
  }
  assert.equal(reachable, [true, true, false, false]);
  await client.close();
});

test('SVC-069 an id that is not a number is refused in header and query, not taken for the beginning', async () => {
  const { signal } = new AbortController();
  const route = routeOf(new SteppedClock(), { status: 'running' });
  for (const [header, query, field] of [
    ['x', {}, 'Last-Event-ID'],
    ['-1', {}, 'Last-Event-ID'],
    [undefined, { last_event_id: '1e3' }, 'last_event_id'],
  ] as const) {
    const refused = await open(route, signal, header, query).catch((error: HttpError) => error);
    assert.equal(
      [Reflect.get(refused, 'code'), Reflect.get(refused, 'errors')[0].field],
      ['invalid_parameter', field],
    );
  }
});

test.run();
