import { type CommandText, readCommandText } from './command-text.ts';

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
  /** Of MIN, MAX and RANGE, which judge every value up to the end of their block. */
  readonly toEndOfBlock: string;
  /** Empty without limits. */
  readonly limits: (low: number | null, high: number | null, unit: string | null) => string;
}

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
  if (sensor === null && /^PROMPT ['"]/.test(text)) return check.replaceAll('#', '…');
  const command = readCommandText(text);
  if (command === undefined) return check;
  const subject = sensor === null ? undefined : subjectOf(command, sensor, text);
  if (subject === undefined) return check.replaceAll('#', '…');
  const limits = words.limits(low, high, unit);
  const bound = command.kind === 'bound' ? ` ${words.toEndOfBlock}` : '';
  return `${subject}${limits === '' ? '' : `: ${limits}`}${bound}${last}`;
}

/**
 * Names of the measurements of one list: where two would be called the same, each has the text of its check too.
 * @returns in the order of the list
 */
export function distinctNames(checks: readonly NamedCheck[], nameOf: (one: NamedCheck) => string): string[] {
  const names = checks.map(nameOf);
  return names.map((name, at) => {
    const { check } = checks[at] as NamedCheck;
    const isAmbiguous = names.some((other, index) => other === name && checks[index]?.check !== check);
    return isAmbiguous && name !== check ? `${name} – ${check.replaceAll('#', '…')}` : name;
  });
}

/**
 * `AI01.delta` of a check of the sensor AI01. A text with another name for it, a variable or an alias, has the sensor of the
 * record. @returns undefined: it may as well be an author's, or its values are of more than one
 */
function subjectOf({ subjects, kind }: CommandText, sensor: string, text: string): string | undefined {
  const [subject, ...others] = subjects;
  if (subject === undefined || others.length > 0) return undefined;
  const [, change = '', name = '', statistic = ''] = /^(Δ?)(.*?)(\.[a-z]+)?$/iu.exec(subject) ?? [];
  const isSame = (one: string) => one.toLowerCase() === sensor.toLowerCase();
  if (!isSame(subject) && !isSame(name) && !isSame(`${name}${statistic}`) && !/[#$]/.test(text))
    return undefined;
  const ending = sensor.toLowerCase().endsWith(statistic.toLowerCase()) ? '' : statistic;
  return `${change || kind === 'change' ? 'Δ' : ''}${sensor}${ending}`;
}
