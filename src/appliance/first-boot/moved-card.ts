import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Board } from '../board.ts';
import type { Places } from '../places.ts';
import { withdrawConfirmations } from './withdraw-confirmations.ts';

export interface MovedCard {
  /** For the report. */
  problem: string;
  /** Its calibrations count no longer: what was asked of this start is done. */
  isWithdrawn: boolean;
}

/** Where a card was used last, by its stamp. */
export interface LastUse {
  /** Of the machine; undefined for a new card, null where that had none. */
  serial: string | null | undefined;
  /** The stamp cannot be read: it may have been any machine. */
  isUnknown: boolean;
}

/**
 * A card that was used in another machine, or may have been. Only a person knows whether the computer was replaced or the card came to
 * another rig with other sensors: until each calibration is confirmed again, no run judges by it.
 * @returns undefined where it is the same machine, or one without a serial
 */
export async function movedCard(
  places: Places,
  board: Board,
  { serial, isUnknown }: LastUse,
  clock: Clock,
): Promise<MovedCard | undefined> {
  const isMoved = Boolean(serial) && board.serial !== undefined && serial !== board.serial;
  if (!isMoved && !isUnknown) return undefined;
  const moved = isUnknown
    ? 'svc-rig/first-boot-stamp.json on the data partition cannot be read, so it is not known in which machine this card was used'
    : `this card was used in the machine with serial ${serial}, and this is ${board.serial} (${board.model}): its name, records and calibrations are those of the other rig`;
  try {
    const ids = await withdrawConfirmations(places.at('/etc/svc/svc.yaml'), clock);
    const withdrawn =
      ids.length === 0
        ? ''
        : `; no run judges by the calibrations ${ids.join(', ')} until each is confirmed again`;
    return {
      problem: `${moved}${withdrawn}. Put the card back, or write a new one; where only the computer was replaced, check each sensor and run sudo svcctl calibration confirm ID --by NAME`,
      isWithdrawn: true,
    };
  } catch (fault) {
    return {
      problem: `${moved}. Put the card back: its calibrations still count, since svc.yaml cannot be changed (${messageOf(fault)}); it is tried again at the next start`,
      isWithdrawn: false,
    };
  }
}
