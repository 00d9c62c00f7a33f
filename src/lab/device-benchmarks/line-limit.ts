import type { Operation } from './measure.ts';

/** Characters of a request of eight bytes and its reply: 6 for eight coils, 8 for the echo of a write. */
const CHARACTERS: Record<Operation, number> = { read: 8 + 6, write: 8 + 8 };

/** The least silence on the line between two frames, characters (Modbus over serial line 2.5.1.1). */
const SILENCE = 3.5;

/**
 * Most transactions per second that a line can carry, when device and master answer without any delay.
 *
 * @param silenceMs what the master keeps before a request; the line itself keeps 3.5 characters before each frame
 */
export function lineLimit(
  operation: Operation,
  options: { baud: number; bits?: number; silenceMs?: number },
): number {
  const characterMs = (1000 * (options.bits ?? 10)) / options.baud;
  const gapMs = SILENCE * characterMs;
  const exchangeMs = CHARACTERS[operation] * characterMs + gapMs + Math.max(gapMs, options.silenceMs ?? 0);
  return 1000 / exchangeMs;
}
