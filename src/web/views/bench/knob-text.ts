/** How the value of a knob stands in its field: as JSON, a plain word without quotes, null as nothing. */
export function knobText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value);
}

/**
 * What was typed: JSON, or else a plain word, as `svcctl bench knobs` takes it.
 * @param before the value so far: an empty field is null where that was no text
 */
export function knobValue(text: string, before: unknown): unknown {
  if (text.trim() === '' && typeof before !== 'string') return null;
  return isJson(text) ? JSON.parse(text) : text.trim();
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
