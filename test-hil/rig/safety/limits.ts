import type { Case } from './cases.ts';

/** From the moment a process was killed: whoever looks after it makes safe. */
const AFTER_KILL_MS = 3000;
/** In every case. */
export const ALWAYS_MS = 5000;
/** A run takes its lease for 5 s; its end is noticed within 250 ms, and the safe state is bounded by 5 s. */
const LEASE_MS = 5000 + 250 + 5000;

/**
 * How long the outputs may stay on. A killed `svcctl` leaves its lease to run out (services specification, section
 * 10.4), whose length the language sets (section 11): the aims of 3 s and 5 s cannot hold for it, and the table says how
 * often they did not.
 */
export function limitMs({ victim, end }: Case): number {
  if (end !== 'SIGKILL') return ALWAYS_MS;
  return victim === 'svcctl' ? LEASE_MS : AFTER_KILL_MS;
}

/** What is aimed at, also where the specifications allow more. */
export const aimMs = ({ end }: Case): number => (end === 'SIGKILL' ? AFTER_KILL_MS : ALWAYS_MS);
