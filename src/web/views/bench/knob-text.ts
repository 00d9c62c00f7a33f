/** How the value of a knob stands in its field: as JSON, a plain word without quotes. */
export const knobText = (value: unknown): string =>
  typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value);

/** What was typed: JSON, or else a plain word, as `svcctl bench knobs` takes it. */
export const knobValue = (text: string): unknown => (isJson(text) ? JSON.parse(text) : text.trim());

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
