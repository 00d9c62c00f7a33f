/** Keys that hold a scenario in a JSON answer, in order. */
const TEXT_KEYS = ['code', 'dsl', 'source', 'content'] as const;

const HTML_START = /^[\s\uFEFF]*<(?:!doctype\s+html|html)\b/i;
const HTML_HINT = 'it is an HTML page, not a scenario: use the URL of the raw text, not that of the editor';

/** The scenario in the body of an HTTP answer, or why there is none. */
export function scenarioText(
  body: Uint8Array,
  contentType: string,
): { readonly bytes: Uint8Array } | { readonly refused: string } {
  const text = new TextDecoder().decode(body);
  if (/^(text\/html|application\/xhtml\+xml)\b/i.test(contentType.trim()) || HTML_START.test(text))
    return { refused: HTML_HINT };
  const json = /\bjson\b/i.test(contentType);
  const data = json || text.trimStart().startsWith('{') ? parseObject(text) : undefined;
  if (!data) {
    if (json) return { refused: 'the answer is declared as JSON but is not a JSON object' };
    return text.trim() === '' ? { refused: 'the answer is empty' } : { bytes: body };
  }
  const found = firstText(data) ?? (isObject(data.scenario) ? firstText(data.scenario) : undefined);
  if (found === undefined)
    return {
      refused: `the JSON answer has no scenario text: expected one of the keys ${TEXT_KEYS.join(', ')}, there or in "scenario"`,
    };
  return HTML_START.test(found) ? { refused: HTML_HINT } : { bytes: Buffer.from(found) };
}

function firstText(data: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of TEXT_KEYS) {
    const value = data[key];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const data: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
