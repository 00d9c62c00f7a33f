import { READ_COMMAND, WRITE_COMMAND } from './protocol.ts';

/** What a module is asked to do. */
export type Command =
  | { kind: 'write'; bytes: Uint8Array; register: number; data: Uint8Array }
  | { kind: 'read'; bytes: Uint8Array; register: number; count: number }
  | { kind: 'text'; bytes: Uint8Array; line: string };

const LINE_FEED = 0x0a;

/** Takes the first whole command off the front of `held`; undefined while it is not whole. */
export function takeCommand(held: number[]): Command | undefined {
  const [first, register, count] = held;
  if (first === undefined) return undefined;
  if (first === READ_COMMAND) {
    if (register === undefined || count === undefined) return undefined;
    return { kind: 'read', bytes: take(held, 3), register, count };
  }
  if (first === WRITE_COMMAND) {
    if (register === undefined || count === undefined || held.length < 3 + count) return undefined;
    const bytes = take(held, 3 + count);
    return { kind: 'write', bytes, register, data: bytes.subarray(3) };
  }
  const end = held.indexOf(LINE_FEED);
  if (end === -1) return undefined;
  const bytes = take(held, end + 1);
  return { kind: 'text', bytes, line: Buffer.from(bytes).toString('latin1').trimEnd() };
}

const take = (held: number[], count: number): Uint8Array => Uint8Array.from(held.splice(0, count));
