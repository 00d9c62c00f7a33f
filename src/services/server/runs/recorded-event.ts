import type { RunEvent } from '../../../scenario/events/event.ts';

/** @param line of a record. @returns undefined: it is no event */
export function recordedEvent(line: string): RunEvent | undefined {
  try {
    const read = JSON.parse(line) as RunEvent | null;
    return Number.isInteger(read?.seq) && typeof read?.type === 'string' ? read : undefined;
  } catch {
    return undefined;
  }
}

/** @param line from 1 */
export const damagedLine = (line: number, path: string): string =>
  `line ${line} of ${path} is damaged and left out; svcctl verify shows what differs`;
