import type { Clock } from '../../lib/clock/clock.ts';
import type { LoadJob } from './jobs.ts';

const HEALTH_EVERY_MS = 20;

export interface LoadResult {
  /** Answers by status and code. */
  outcomes: Record<string, number>;
  seconds: number;
  /** Of `/health` meanwhile. */
  healthP50Ms: number;
  healthP99Ms: number;
}

/** Sends all jobs at once, and asks for the health until the last one is answered. */
export async function loadTest(url: string, jobs: readonly LoadJob[], clock: Clock): Promise<LoadResult> {
  const startedAt = clock.monotonic();
  const outcomes: Record<string, number> = {};
  let isOver = false;
  const health = healthTimes(url, () => isOver, clock);
  await Promise.all(
    jobs.map(async (job) => {
      const outcome = await ask(url, job);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }),
  );
  isOver = true;
  const seconds = (clock.monotonic() - startedAt) / 1000;
  const times = (await health).toSorted((a, b) => a - b);
  return { outcomes, seconds, healthP50Ms: quantile(times, 0.5), healthP99Ms: quantile(times, 0.99) };
}

/** Milliseconds of each answer, one after the other. */
export async function timesOf(url: string, jobs: readonly LoadJob[], clock: Clock): Promise<number[]> {
  const times: number[] = [];
  for (const job of jobs) {
    const startedAt = clock.monotonic();
    await ask(url, job);
    times.push(clock.monotonic() - startedAt);
  }
  return times.toSorted((a, b) => a - b);
}

/** Of sorted values. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** The status of the answer, with the code of a refusal. */
export async function ask(url: string, { operation, body }: LoadJob): Promise<string> {
  const response = await fetch(`${url}/v1/window/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { code } = (await response.json()) as { code?: string };
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

async function healthTimes(url: string, isOver: () => boolean, clock: Clock): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const askedAt = clock.monotonic();
    await (await fetch(`${url}/health`)).arrayBuffer();
    times.push(clock.monotonic() - askedAt);
    await clock.sleep(HEALTH_EVERY_MS);
  }
  return times;
}
