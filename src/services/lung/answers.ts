import * as z from 'zod';
import { lungData } from '../../rig/hardware/lung-data.ts';
import type { LungStatus } from '../../rig/hardware/ports.ts';
import { markMembers, marks, shownHold } from '../../rig/service/answer-members.ts';
import type { HeldLung } from './held-lung.ts';
import type { OwnedLung } from './owned-lung.ts';

const known = <S extends z.ZodType>(schema: S) => schema.nullable();

/** Unknown is null (services specification, sections 2.2 and 9). */
export const runtimeStatusSchema = z.object({
  connected: z.boolean(),
  energized: z.boolean(),
  moving: z.boolean(),
  position: known(z.int()).describe('microsteps from the zero of the device'),
  position_uncertain: known(z.boolean()),
  forward_limit_active: known(z.boolean()),
  reverse_limit_active: known(z.boolean()),
  low_vin: known(z.boolean()),
  vin_voltage: known(z.number()),
  vin_mv: known(z.int()),
  motor_driver_error: known(z.boolean()),
  last_motion_error: known(z.string()),
  cycles_done: z.int(),
  cycles_total: z.int(),
  error: known(z.string()),
  velocity: known(z.int()).optional().describe('1/10000 step/s, negative in reverse'),
});

export const marksSchema = z.object({
  ok: z.literal(true),
  ...markMembers,
  hold_remaining_s: known(z.number()).describe('until what is under way is stopped; null when nothing is'),
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
