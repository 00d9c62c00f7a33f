import type { SafeCommand } from '../actuations.ts';

/** Ids of the interlocks that switched other actuators off with a safe-state command; no member when there were none. */
export const trippedMember = (tripped: readonly string[]): { tripped?: readonly string[] } =>
  tripped.length === 0 ? {} : { tripped };

/** Switching something on is refused where an interlock forbids it, and never trips one. */
export const notTripping = <T>(result: T): SafeCommand<T> => ({ result, tripped: [] });
