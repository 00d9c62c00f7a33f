import * as z from 'zod';
import { lungData, runtimeStatusSchema } from '../../rig/hardware/lung-data.ts';
import type { LungStatus } from '../../rig/hardware/ports.ts';
import { markMembers, marks, shownHold } from '../../rig/service/answer-members.ts';
import type { HeldLung } from './held-lung.ts';
import type { OwnedLung } from './owned-lung.ts';

export const marksSchema = z.object({
  ok: z.literal(true),
  ...markMembers,
  hold_remaining_s: z
    .number()
    .nullable()
    .describe('until what is under way is stopped; null when nothing is'),
  started_at: z.iso.datetime().describe('of this service; another one has forgotten every motion'),
});

export const statusSchema = runtimeStatusSchema.extend(marksSchema.shape);
export const commandSchema = marksSchema.extend({ data: z.object({ runtime_status: runtimeStatusSchema }) });

/** Writes the answers about one lung. */
export class LungAnswers {
  readonly #lung: OwnedLung;
  readonly #held: HeldLung;
  readonly #startedAt: string;

  constructor(lung: OwnedLung, held: HeldLung, startedAt: string) {
    this.#lung = lung;
    this.#held = held;
    this.#startedAt = startedAt;
  }

  status(status: LungStatus) {
    return { ok: true as const, ...lungData(status), ...this.#marks() };
  }

  /** @param what was done */
  command<W extends object>(what: W, status: LungStatus) {
    return { ok: true as const, ...what, data: { runtime_status: lungData(status) }, ...this.#marks() };
  }

  #marks() {
    return {
      ...marks(this.#lung.port.origin),
      hold_remaining_s: shownHold(this.#held.hold.remainingS),
      started_at: this.#startedAt,
    };
  }
}
