/** Something that was found, in the shape that expected lines are compared with. */
export interface RecordLine {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Wanted {
  readonly text: string;
  readonly count: number;
  readonly type: string;
  readonly fields: readonly { name: string; operator: '=' | '~'; value: unknown }[];
}

/** Turns a word that is no `key=value` into a field, for example `3:5` into a position. */
export type BareWord = (word: string) => { name: string; value: unknown } | undefined;

const WORD = /(?:[\w.:µ-]+[=~])?"(?:[^"\\]|\\.)*"|\S+/gu;
const FIELD = /^([\w.:µ-]+)([=~])(.*)$/su;

/** `[n x ] type word key=value key~part`; a value in double quotes is JSON. */
function parseWanted(text: string, bare: BareWord): Wanted {
  const words = text.trim().match(WORD) ?? [];
  let count = 1;
  const repeat = /^(\d+)x$/.exec(words[0] ?? '');
  if (repeat) {
    count = Number(repeat[1]);
    words.shift();
  }
  const type = words.shift();
  if (type === undefined) throw new Error(`"${text}": a line needs a first word`);
  const fields = words.map((word) => {
    const match = word.startsWith('"') ? null : FIELD.exec(word);
    if (match) return { name: match[1]!, operator: match[2] as '=' | '~', value: parseValue(match[3]!) };
    const field = bare(word.startsWith('"') ? String(JSON.parse(word)) : word);
    if (!field) throw new Error(`"${text}": "${word}" has no meaning here`);
    return { ...field, operator: '=' as const };
  });
  return { text: text.trim(), count, type, fields };
}

function parseValue(text: string): unknown {
  if (/^(?:"|-?\d|\{|\[(?=[\d"\]-])|true$|false$|null$)/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

const noBareWord: BareWord = () => undefined;

/**
 * Compares what was found with the expected lines, in order and one to one. Fields that a line does not name may be
 * anything. Returns both as lists of lines that differ only where it matters, so that a diff shows just that.
 */
export function compareRecords(
  lines: readonly string[],
  found: readonly RecordLine[],
  bare: BareWord = noBareWord,
): { actual: string[]; expected: string[] } {
  const wanted =
    lines.length === 1 && lines[0]!.trim() === 'none' ? [] : lines.map((line) => parseWanted(line, bare));
  const expected = wanted.flatMap((one) => Array.from({ length: one.count }, () => one));
  const actual = found.map((record, i) => {
    const one = expected[i];
    return one && matches(one, record) ? one.text : renderRecord(record);
  });
  return { actual, expected: expected.map(({ text }) => text) };
}

function matches(wanted: Wanted, { type, fields }: RecordLine): boolean {
  return (
    wanted.type === type &&
    wanted.fields.every(({ name, operator, value }) => {
      if (!(name in fields)) return false;
      const actual = fields[name];
      return operator === '~' ? String(actual).includes(String(value)) : same(actual, value);
    })
  );
}

function same(actual: unknown, wanted: unknown): boolean {
  if (typeof actual === 'number' && typeof wanted === 'number')
    return (
      actual === wanted || Math.abs(actual - wanted) <= 1e-9 * Math.max(Math.abs(actual), Math.abs(wanted))
    );
  if (typeof actual === 'string' && typeof wanted !== 'object') return actual === String(wanted);
  return JSON.stringify(actual) === JSON.stringify(wanted);
}

/** Everything about a record, in the notation of the case files. */
export const renderRecord = ({ type, fields }: RecordLine): string =>
  [
    type,
    ...Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${renderValue(value)}`),
  ].join(' ');

const renderValue = (value: unknown): string =>
  typeof value === 'string' && /^[\w./%-]+$/.test(value) && !/^-?\d/.test(value)
    ? value
    : JSON.stringify(value);
