import type { Case } from './cases.ts';

/** From the moment a process was killed: the one that looks after it makes safe. */
const AFTER_KILL_MS = 3000;
/** In every case. */
export const ALWAYS_MS = 5000;

/** How long the outputs may stay on. */
export const limitMs = ({ end }: Pick<Case, 'end'>): number =>
  end === 'SIGKILL' ? AFTER_KILL_MS : ALWAYS_MS;
