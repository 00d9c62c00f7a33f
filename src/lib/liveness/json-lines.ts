export type JsonLine = Readonly<Record<string, unknown>>;

const LIMIT_CHARACTERS = 65_536;

/**
 * Cuts a stream of bytes into lines of JSON objects. What is not a JSON object is left out: the other side may be another
 * version. @returns false when a line grows beyond what an honest peer sends
 */
export function jsonLines(take: (line: JsonLine) => void): (chunk: Buffer | string) => boolean {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const object = parse(line);
      if (object) take(object);
    }
    return rest.length <= LIMIT_CHARACTERS;
  };
}

function parse(text: string): JsonLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonLine)
      : undefined;
  } catch {
    return undefined;
  }
}
