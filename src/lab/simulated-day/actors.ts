import type { Clock } from '../../lib/clock/clock.ts';
import type { Random } from '../../lib/random/seeded-random.ts';
import { Interpreter } from '../../scenario/interpreter.ts';
import type { Actor, HttpTap } from './http-tap.ts';
import { StoppableClock } from './stoppable-clock.ts';

/** Where the people believe the bridge to be. */
const BRIDGE = 'http://127.0.0.1:8202';

export interface Counts {
  runs: Record<string, number>;
  leases: number;
  vanished: number;
  byHand: number;
  stops: number;
}

export interface Actors {
  door: HttpTap;
  clock: Clock;
  random: Random;
  counts: Counts;
  /** False when the day ends: nobody begins anything any more. */
  goesOn: () => boolean;
}

const SCENARIOS: readonly [string, ...string[]] = [
  `GOAL:
  SET NAME 'Pressure'
  SET valve-1 open
  SET pump 40 %
  WAIT 8 s
  GET AI01
  SET pump 0 %
  SET valve-1 close
CONFIG close:
  SET pump 0 %
  SET valve-1 close
`,
  `GOAL:
  SET NAME 'Strokes'
  REPEAT 6:
    SET valve-2 open
    WAIT 700 ms
    SET valve-2 close
    WAIT 300 ms
  REPEAT STOP
CONFIG close:
  SET valve-2 close
`,
  `GOAL:
  SET NAME 'Breathing'
  SET LUNG_STEPS 500
  SET LUNG_SPEED 1000 steps/s
  SET LUNG_PAUSE 0.5 s
  SET lung '4 cycles'
  SET valve-3 open
  WAIT 6 s
  CHECK AI01 <= 4 V
  SET lung stop
CONFIG close:
  SET lung stop
  SET valve-3 close
`,
  `GOAL:
  SET NAME 'Long hold'
  SET valve-4 open
  SET valve-5 open
  SET pump 5 l/min
  WAIT 45 s
  CHECK AI02 <= 4 V
`,
];

function pick<T>(random: Random, from: readonly [T, ...T[]]): T {
  return from[Math.floor(random() * from.length)] ?? from[0];
}

const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

const createActor = (clock: Clock): Actor => ({
  clock: new StoppableClock(clock),
  gone: new AbortController(),
});

function vanish({ clock, gone }: Actor): void {
  clock.die();
  gone.abort(new Error('killed'));
}

/** Runs scenarios, one after the other. Some are aborted, some die without a word. */
export async function runner({ door, clock, random, counts, goesOn }: Actors, name: string): Promise<void> {
  while (goesOn()) {
    await clock.sleep(between(random, 2000, 60_000));
    const speaker = createActor(clock);
    const [soft, hard] = [new AbortController(), new AbortController()];
    const interpreter = new Interpreter({
      mode: 'execute',
      firmwareUrl: BRIDGE,
      withoutGuard: true,
      clock: speaker.clock,
      fetch: door.fetchOf(speaker),
      owner: name,
      signal: soft.signal,
      hardSignal: hard.signal,
    });
    const run = interpreter.run(pick(random, SCENARIOS), 'day.oql');
    const fate = random();
    const early = clock.sleep(between(random, 500, 30_000)).then(() => 'early' as const);
    const first = await Promise.race([run.then(({ outcome }) => outcome), early]);
    let outcome: string = first;
    if (first === 'early' && fate < 0.35) {
      vanish(speaker);
      counts.vanished++;
      outcome = 'vanished';
    } else if (first === 'early') {
      if (fate < 0.6) soft.abort(new Error('enough'));
      if (fate < 0.45) {
        await clock.sleep(between(random, 0, 200));
        hard.abort(new Error('at once'));
      }
      ({ outcome } = await run);
    }
    counts.runs[outcome] = (counts.runs[outcome] ?? 0) + 1;
  }
}

/** Moves things without a lease, and often forgets to switch them off. */
export async function hand({ door, clock, random, counts, goesOn }: Actors): Promise<void> {
  while (goesOn()) {
    await clock.sleep(between(random, 10_000, 200_000));
    const speaker = createActor(clock);
    const steps = 1 + Math.floor(random() * 6);
    for (let step = 0; step < steps; step++) {
      counts.byHand++;
      await door.call(speaker, command(random));
      await clock.sleep(between(random, 200, 15_000));
    }
    // What is on now stays on until the hold ends.
    vanish(speaker);
  }
}

/** Takes the lease, renews it as well as he can, and vanishes, gives it back, or leaves the rig as it is. */
export async function taker({ door, clock, random, counts, goesOn }: Actors): Promise<void> {
  while (goesOn()) {
    await clock.sleep(between(random, 5000, 90_000));
    const speaker = createActor(clock);
    const ttl_ms = Math.round(between(random, 1000, random() < 0.2 ? 60_000 : 8000));
    const taken = await door.call(speaker, 'POST /api/v1/lease', { body: { owner: 'taker', ttl_ms } });
    if (taken.status !== 201) continue;
    counts.leases++;
    const lease = String(taken.body.lease_id);
    const rounds = Math.floor(random() * 6);
    for (let round = 0; round < rounds; round++) {
      await door.call(speaker, command(random), { lease });
      await clock.sleep(ttl_ms * between(random, 0.1, random() < 0.1 ? 1.3 : 0.8));
      await door.call(speaker, `POST /api/v1/lease/${lease}/renew`);
    }
    await door.call(speaker, command(random), { lease });
    const fate = random();
    if (fate < 0.5) counts.vanished++;
    else await door.call(speaker, `DELETE /api/v1/lease/${lease}${fate < 0.6 ? '?safe=false' : ''}`);
    vanish(speaker);
  }
}

/** The red button, and after a while the release of it. */
export async function stopper({ door, clock, random, counts, goesOn }: Actors): Promise<void> {
  while (goesOn()) {
    await clock.sleep(between(random, 60_000, 1_200_000));
    counts.stops++;
    const speaker = createActor(clock);
    await door.call(speaker, 'POST /api/v1/hardware/safe-state');
    await clock.sleep(between(random, 500, 30_000));
    // A bridge that is away, or still at it, is asked again.
    while ((await door.call(speaker, 'POST /api/v1/hardware/operator-stop/clear')).status !== 200)
      await clock.sleep(500);
  }
}

function command(random: Random): string {
  const valve = 1 + Math.floor(random() * 8);
  const kind = random();
  const hardware = 'POST /api/v1/hardware';
  if (kind < 0.5) return `${hardware}/valve/valve-${valve}?value=true`;
  if (kind < 0.6) return `${hardware}/valve/valve-${valve}?value=false`;
  if (kind < 0.8) return `${hardware}/pump?power_pct=${1 + Math.floor(random() * 100)}`;
  if (kind < 0.85) return `${hardware}/pump?power_pct=0`;
  if (kind < 0.95)
    return `${hardware}/lung?steps=300&speed=8000000&cycles=${1 + Math.floor(random() * 8)}&pause=0.3`;
  return `${hardware}/lung/stop`;
}
