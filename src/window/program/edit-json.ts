/*
 * Changes members of a JSON text and leaves every other byte alone: numbers keep their digits, keys their order, twins of a
 * key stay. The text is known to be valid.
 */

interface Span {
  start: number;
  /** Exclusive. */
  end: number;
}

interface ObjectSpans {
  /** Values by key; of twins the last, which is the one that counts. */
  values: Map<string, Span>;
  /** Of the closing brace. */
  close: number;
}

/** Sets members of the object `holder`, a member of the outermost object; it is made when it is missing or null. */
export function setMembers(text: string, holder: string, members: Readonly<Record<string, unknown>>): string {
  const start = skipSpace(text, text.startsWith('\ufeff') ? 1 : 0);
  const root = objectAt(text, start);
  const held = root.values.get(holder);
  const inside = held && text[held.start] === '{' ? held : undefined;
  if (!inside) {
    const value = Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
    return held ? replaced(text, held, format(text, value, 1)) : appended(text, root, [[holder, value]], 1);
  }
  const spans = objectAt(text, inside.start);
  const present = Object.entries(members).filter(
    ([key, value]) => value !== undefined && spans.values.has(key),
  );
  const missing = Object.entries(members).filter(
    ([key, value]) => value !== undefined && !spans.values.has(key),
  );
  let edited = missing.length > 0 ? appended(text, spans, missing, 2) : text;
  const order = present.sort(
    ([a], [b]) => (spans.values.get(b)?.start ?? 0) - (spans.values.get(a)?.start ?? 0),
  );
  for (const [key, value] of order) {
    const span = spans.values.get(key);
    if (span) edited = replaced(edited, span, format(text, value, 2));
  }
  return edited;
}

function replaced(text: string, { start, end }: Span, value: string): string {
  return text.slice(0, start) + value + text.slice(end);
}

function appended(
  text: string,
  { values, close }: ObjectSpans,
  members: [string, unknown][],
  depth: number,
): string {
  const isPretty = text.includes('\n');
  const indent = isPretty ? `\n${'  '.repeat(depth)}` : '';
  const lines = members.map(
    ([key, value]) => `${indent}${JSON.stringify(key)}:${isPretty ? ' ' : ''}${format(text, value, depth)}`,
  );
  // The place right after the last value, so that the space before the brace stays.
  const last = Math.max(...[...values.values()].map(({ end }) => end), 0);
  if (last === 0) {
    const before = text.lastIndexOf('{', close) + 1;
    return `${text.slice(0, before)}${lines.join(',')}${isPretty ? `\n${'  '.repeat(depth - 1)}` : ''}${text.slice(close)}`;
  }
  return `${text.slice(0, last)},${lines.join(',')}${text.slice(last)}`;
}

function format(text: string, value: unknown, depth: number): string {
  if (!text.includes('\n')) return JSON.stringify(value);
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);
}

function objectAt(text: string, start: number): ObjectSpans {
  const values = new Map<string, Span>();
  let at = skipSpace(text, start + 1);
  while (text[at] !== '}') {
    const keyEnd = skipValue(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    values.set(key, { start: valueStart, end: valueEnd });
    at = skipSpace(text, valueEnd);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { values, close: at };
}

/** The end of the value that begins here. */
function skipValue(text: string, start: number): number {
  if (text[start] === '"') return skipString(text, start);
  if (text[start] !== '{' && text[start] !== '[') {
    let at = start;
    while (at < text.length && !/[,\]}\s]/.test(text[at] as string)) at++;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const character = text[at];
    if (character === '"') {
      at = skipString(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    at++;
    if (depth === 0) return at;
  }
  return text.length;
}

function skipString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/[\s]/.test(text[at] ?? '')) at++;
  return at;
}
