import type { commands } from './commands.ts';

/** What the test may ask of the guest. */
export type Commands = ReturnType<typeof commands>;

/** One line from the test. */
export interface Question {
  id: number;
  command: string;
  args: unknown[];
}

/** Any coded error of the house, as far as it can be written down. */
export interface Refusal {
  code: string;
  message: string;
  reason: string | null;
}

/** One line from the guest. The first one, before anything was asked, has the id 0. */
export type Answer = { id: number } & ({ ok: true; value: unknown } | { ok: false; error: Refusal });
