import type { Origin } from '../ports.ts';

/** Of everything that the in-process plant answers. */
export const ORIGIN: Origin = { mock: true, bench: false };
