import { hrtime } from 'node:process';
import { systemClock } from '../../../../src/lib/clock/clock.ts';

/** CLOCK_MONOTONIC, milliseconds: the same in every process of this machine. */
export const machineMs = (): number => Number(hrtime.bigint()) / 1e6;

export interface BenchZero {
  /** When the bench's trace counted 0, milliseconds of CLOCK_MONOTONIC. */
  atMs: number;
  /** It is at most so much later. */
  uncertaintyMs: number;
}

/**
 * Puts the bench's trace on the machine's clock. The bench reports how long it runs; it said so between question and
 * answer, and the quickest of many answers is the best one.
 */
export async function benchZero(benchUrl: string): Promise<BenchZero> {
  let earliest = Number.NEGATIVE_INFINITY;
  let latest = Number.POSITIVE_INFINITY;
  for (let question = 0; question < 200; question++) {
    const askedAt = machineMs();
    const { elapsed_ms } = (await (await fetch(`${benchUrl}/bench/v1/clock`)).json()) as {
      elapsed_ms: number;
    };
    earliest = Math.max(earliest, askedAt - elapsed_ms);
    latest = Math.min(latest, machineMs() - elapsed_ms);
    await systemClock.sleep(2);
  }
  return { atMs: earliest, uncertaintyMs: latest - earliest };
}
