/** Why the answer of a sensor route or an ADC service holds no value that may be judged. */
export interface ReadingFault {
  /** `beyond_range`: the true value lies outside what the converter can determine. `malformed`: a member of a wrong type. */
  readonly kind: 'beyond_range' | 'stale' | 'invalid' | 'malformed';
  readonly message: string;
}

type Members = Readonly<Record<string, unknown>>;

/** Members that make a reading worthless when they are true. */
const FLAGS = [
  ['saturated', 'beyond_range', 'the converter is at the end of its range, the true value may lie beyond it'],
  ['over_range', 'beyond_range', 'the input is above the measurable range'],
  ['under_range', 'beyond_range', 'the input is below the measurable range'],
  ['stale', 'stale', 'the source reports an old value'],
] as const;

const shown = (value: unknown): string => JSON.stringify(value) ?? String(value);

/**
 * Judges what an answer says of its own reading. A member of a type that it cannot have is a fault too: `"true"` and 1
 * are no booleans, and a source that means something else by them must not pass for a good one.
 */
export function readingFault(answer: Members): ReadingFault | undefined {
  for (const [name, kind, why] of FLAGS) {
    const malformed = notBoolean(answer, name);
    if (malformed) return malformed;
    if (answer[name] === true) return { kind, message: `${name}: ${why}` };
  }
  const malformed = notBoolean(answer, 'valid');
  if (malformed) return malformed;
  if (answer.valid === false)
    return { kind: 'invalid', message: 'valid: false, the source rejects its own value' };
  return statusFault(answer) ?? qualityFault(answer);
}

/** A status in words is about the reading; a number is the HTTP status of a problem body. */
function statusFault({ status }: Members): ReadingFault | undefined {
  if (typeof status !== 'string' || GOOD_STATUS.has(word(status))) return undefined;
  const kind = word(status) === 'stale' ? 'stale' : 'invalid';
  return { kind, message: `status is "${status}", not ok` };
}

function qualityFault({ quality }: Members): ReadingFault | undefined {
  if (quality === undefined) return undefined;
  if (typeof quality !== 'string')
    return { kind: 'malformed', message: `quality is ${shown(quality)}, not a text` };
  if (word(quality) === 'good') return undefined;
  return { kind: 'invalid', message: `quality is "${quality}", not good` };
}

const GOOD_STATUS: ReadonlySet<string> = new Set(['ok', 'good', 'success', 'valid']);
const word = (text: string): string => text.trim().toLowerCase();

/** A fault when the member is there and neither true nor false. */
export function notBoolean(answer: Members, name: string): ReadingFault | undefined {
  const value = answer[name];
  if (value === undefined || typeof value === 'boolean') return undefined;
  return { kind: 'malformed', message: `${name} is ${shown(value)}, neither true nor false` };
}
