import { sha256 } from './event-chain.ts';
import { readLines } from './read-lines.ts';

export interface BadLine {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

interface ReadLine {
  readonly hash: string;
  /** Undefined: the line is no JSON object. */
  readonly event: Record<string, unknown> | undefined;
}

/** Lines after which others have a turn. */
const TURN_EVERY = 500;

/**
 * The first line of an events file that is not what was written; undefined when every line follows the one before.
 * @param end what the file is known to end with
 * @throws the system's error
 */
export async function findBadLine(
  path: string,
  anchor: string,
  end: { readonly count: number; readonly last_sha256: string },
): Promise<BadLine | undefined> {
  let before = anchor;
  let number = 0;
  let suspect: { line: number; hash: string } | undefined;
  for await (const { text } of readLines(path)) {
    const { hash, event } = read(text);
    // The line before did not name its predecessor: was it changed, or the predecessor?
    if (suspect) return judged(suspect, event?.prev);
    number++;
    if (!event) return { line: number, reason: 'it is not a JSON object' };
    if (event.seq !== number - 1)
      return {
        line: number,
        reason: `its number is ${JSON.stringify(event.seq)}, expected ${number - 1}: a line was changed, removed, added or moved`,
      };
    if (event.prev !== before) suspect = { line: number, hash };
    before = hash;
    if (number % TURN_EVERY === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  if (suspect) return judged(suspect, end.last_sha256);
  if (number < end.count)
    return { line: number + 1, reason: `it is missing: of ${end.count} lines ${number} are there` };
  if (number > end.count) return { line: end.count + 1, reason: `it was added behind the last event` };
  if (before !== end.last_sha256) return { line: number, reason: 'it was changed' };
  return undefined;
}

/** @param known hash of the suspect line according to what follows it */
function judged({ line, hash }: { line: number; hash: string }, known: unknown): BadLine {
  if (known === hash && line > 1)
    return { line: line - 1, reason: `it was changed: line ${line} has another SHA-256 of it` };
  return { line, reason: 'it does not name the SHA-256 of what stands before it' };
}

function read(text: string): ReadLine {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return { hash: sha256(text), event: isObject ? (parsed as Record<string, unknown>) : undefined };
}
