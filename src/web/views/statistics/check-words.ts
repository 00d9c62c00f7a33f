export interface NamedCheck {
  /** Name that the author gave, or the text of the check without its numbers. */
  readonly check: string;
  readonly sensor: string | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly unit: string | null;
}

export interface CheckWords {
  readonly open: string;
  readonly closed: string;
  /** Empty without limits. */
  readonly limits: (low: number | null, high: number | null, unit: string | null) => string;
}

/** A comparison or a range, as the text of a command has it. */
const COMPARISON = /^(CHECK|IF|ASSERT_SENSOR)\b.*(?:[<>=≤≥≠∈]|\.\.|[#\w] … [#\w])/;
/** A bound, whose subject comes first. */
const BOUND = /^(MIN|MAX|RANGE|IF_DELTA) /;
const VALVE = /^ASSERT_VALVE '?([^']+?)'? (on|off)$/;

/**
 * What was judged, in words of a person: `AI01: 0.665 … 2.4 V`. Only a name that is the text of a command is put so; any
 * other one is its author's and stays as it is.
 */
export function checkWords({ check, sensor, low, high, unit }: NamedCheck, words: CheckWords): string {
  const [, text = check, ordinal] = /^(.*?)(?: \((\d+)\))?$/.exec(check) ?? [];
  const last = ordinal === undefined ? '' : ` (${ordinal})`;
  const [, valve, state] = VALVE.exec(text) ?? [];
  if (valve !== undefined) return `${valve}: ${state === 'on' ? words.open : words.closed}${last}`;
  const isComparison = COMPARISON.test(text);
  if (sensor === null) return isComparison || /^PROMPT ['"]/.test(text) ? check.replaceAll('#', '…') : check;
  const subject = subjectOf(text, sensor, isComparison);
  if (subject === undefined) return check;
  const limits = words.limits(low, high, unit);
  return limits === '' ? `${subject}${last}` : `${subject}: ${limits}${last}`;
}

/** `AI01.delta` of a check of the sensor AI01. @returns undefined: the text is no command about the sensor */
function subjectOf(text: string, sensor: string, isComparison: boolean): string | undefined {
  const [, bound] = BOUND.exec(text) ?? [];
  if (!isComparison && bound === undefined) return undefined;
  const found = text
    .split(/[\s'"[\]<>=≤≥≠∈]+/)
    .slice(1, bound === undefined ? undefined : 2)
    .find((word) => word === sensor || word.startsWith(`${sensor}.`) || word === `Δ${sensor}`);
  return found !== undefined && bound === 'IF_DELTA' ? `Δ${found}` : found;
}
