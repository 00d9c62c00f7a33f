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

/** Text of a check by which a record names it where the author gave no name. */
const GENERATED = /^(CHECK|IF|MIN|MAX|RANGE|ASSERT_VALVE|PROMPT)\b/;
const VALVE = /^ASSERT_VALVE '?([^']+?)'? (on|off)$/;

/** What was judged, in words of a person: `AI01: 0.665 … 2.4 V`. A name of the author stays as it is. */
export function checkWords({ check, sensor, low, high, unit }: NamedCheck, words: CheckWords): string {
  if (!GENERATED.test(check)) return check;
  const [, text = check, ordinal] = /^(.*?)(?: \((\d+)\))?$/.exec(check) ?? [];
  const last = ordinal === undefined ? '' : ` (${ordinal})`;
  const [, valve, state] = VALVE.exec(text) ?? [];
  if (valve !== undefined) return `${valve}: ${state === 'on' ? words.open : words.closed}${last}`;
  const limits = words.limits(low, high, unit);
  if (sensor === null) return `${text.replaceAll('#', '…')}${last}`;
  return limits === '' ? `${sensor}${last}` : `${sensor}: ${limits}${last}`;
}
