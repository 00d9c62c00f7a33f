/** Remote ADC bank: the answer to `GET /api/v1/adc` and the order in which it is judged. */
export const BANK_PATH = '/api/v1/adc';
export const BANK_TIMEOUT_MS = 800;
export const BANK_MAX_BYTES = 64 * 1024;
export const MAX_AGE_MS = 1000;
export const MIN_VOLTS = 0;
export const MAX_VOLTS = 12;
/** Raw value at the end of the converter's range. */
export const RAIL = 32_767;

export type BankChannel = 0 | 1 | 2;
export const BANK_CHANNELS: readonly BankChannel[] = [0, 1, 2];

export type BankCode =
  | 'bank_unreachable'
  | 'bank_sample_missing'
  | 'bank_identity_mismatch'
  | 'bank_sample_stale'
  | 'bank_saturated'
  | 'bank_out_of_range';

/** What is asked of a sample, and when. */
export interface BankQuestion {
  channel: BankChannel;
  /** `BANK_ADC_ID`: the only bank that may answer; undefined for any. */
  bankId?: string | undefined;
  /** Milliseconds since the answer arrived; they count as age. */
  sinceArrivalMs: number;
}

export interface JudgedSample {
  channel: BankChannel;
  volts: number;
  /** As received; null when the bank does not say. */
  raw: number | null;
  adcVoltage: number | null;
  /** Reported age plus the time since arrival, 0..1000. */
  ageMs: number;
  /** `<bank_id>/ch<n>` */
  identity: string;
  bankId: string;
}

export type BankVerdict = { sample: JudgedSample } | { code: BankCode; message: string };

/** Who answered, whether or not its samples are good. null for what is not said. */
export interface BankIdentity {
  bankId: string | null;
  /** Changes when the bank starts anew. */
  bootId: string | null;
  /** It says that it is a twin. */
  bench: boolean;
}

type Members = Record<string, unknown>;

/** A well-formed answer taken apart; nothing is judged yet. */
interface Answer {
  succeeded: boolean;
  identity: BankIdentity;
  /** All channels of a list; a single channel object stands for the asked one, whatever number it has. */
  channels: Members[];
  isSingle: boolean;
}

/** @param body what the JSON of the answer holds */
export function identityOf(body: unknown): BankIdentity {
  return answerOf(body).identity;
}

/**
 * One channel of an answer, judged in a fixed order: the first check that fails gives the code.
 * What is missing fails its check.
 */
export function judgeSample(body: unknown, question: BankQuestion): BankVerdict {
  const answer = answerOf(body);
  if (!answer.succeeded) return refused('bank_unreachable', 'the bank answered that it did not succeed');
  const found = findChannel(answer, question.channel);
  if ('code' in found) return found;
  const { entry } = found;
  const source = judgeIdentity(entry, answer, question);
  if ('code' in source) return source;
  const age = judgeAge(entry, question);
  if ('code' in age) return age;
  const fault = judgeSaturation(entry) ?? judgeRange(entry);
  if (fault) return fault;
  const { volts, raw, adc_voltage } = entry;
  return {
    sample: {
      channel: question.channel,
      volts,
      raw: isNumber(raw) ? raw : null,
      adcVoltage: isNumber(adc_voltage) ? adc_voltage : null,
      ...age,
      ...source,
    },
  };
}

function answerOf(body: unknown): Answer {
  const outer = membersOf(body) ?? {};
  const data = 'data' in outer ? (membersOf(outer.data) ?? {}) : outer;
  const isSingle = !('channels' in data) && 'channel' in data;
  const listed: unknown[] = Array.isArray(data.channels) ? data.channels : [];
  const said = (name: string) => textOf(data[name]) ?? textOf(outer[name]);
  return {
    succeeded: outer.success !== false && data.success !== false,
    identity: {
      bankId: said('bank_id'),
      bootId: said('boot_id') ?? numberText(data.boot_id),
      bench: data.bench === true || outer.bench === true,
    },
    channels: isSingle ? [data] : listed.map(membersOf).filter((entry) => entry !== undefined),
    isSingle,
  };
}

type Refusal = Extract<BankVerdict, { code: BankCode }>;
/** A channel whose numbers have been looked at. */
type Found = Members & { volts: number };

function findChannel(answer: Answer, channel: BankChannel): { entry: Found } | Refusal {
  const found = answer.isSingle
    ? answer.channels
    : answer.channels.filter((entry) => entry.channel === channel);
  const [entry] = found;
  if (!entry) return refused('bank_sample_missing', 'the answer does not have the channel');
  if (found.length > 1)
    return refused('bank_sample_missing', `the answer has the channel ${found.length} times`);
  if (entry.present !== true)
    return refused('bank_sample_missing', `present is ${shown(entry.present)}, not true`);
  if (entry.ok === false) return refused('bank_sample_missing', 'the bank marks the channel as not ok');
  const unexpected = ['raw', 'adc_voltage'].find((name) => name in entry && !isNumber(entry[name]));
  if (unexpected !== undefined)
    return refused(
      'bank_sample_missing',
      `${unexpected} is ${shown(entry[unexpected])}, not a finite number`,
    );
  const { volts } = entry;
  if (!isNumber(volts))
    return refused('bank_sample_missing', `volts is ${shown(volts)}, not a finite number`);
  return { entry: { ...entry, volts } };
}

function judgeIdentity(
  entry: Found,
  answer: Answer,
  question: BankQuestion,
): { bankId: string; identity: string } | Refusal {
  const { bankId } = answer.identity;
  if (entry.channel !== question.channel)
    return refused('bank_identity_mismatch', `channel ${shown(entry.channel)} answers for it`);
  if (bankId === null) return refused('bank_identity_mismatch', 'the answer has no bank_id');
  const identity = `${bankId}/ch${question.channel}`;
  if (entry.identity !== identity)
    return refused(
      'bank_identity_mismatch',
      `identity is ${shown(entry.identity)} where "${identity}" is right`,
    );
  if (question.bankId !== undefined && question.bankId !== bankId)
    return refused(
      'bank_identity_mismatch',
      `bank "${bankId}" answers where BANK_ADC_ID wants "${question.bankId}"`,
    );
  return { bankId, identity };
}

function judgeAge(entry: Found, { sinceArrivalMs }: BankQuestion): { ageMs: number } | Refusal {
  const reportedMs = reportedAgeMs(entry);
  if (reportedMs === undefined)
    return refused('bank_sample_stale', 'the age is not known (no number in age_ms or age_s)');
  const ageMs = reportedMs + sinceArrivalMs;
  if (reportedMs >= 0 && sinceArrivalMs >= 0 && ageMs <= MAX_AGE_MS) return { ageMs };
  return refused('bank_sample_stale', `the age is ${ageMs} ms where 0 to ${MAX_AGE_MS} ms are right`);
}

/** The bank says so, or its converter stands at the end of its range. When neither is known it counts as saturated. */
function judgeSaturation({ saturated, raw }: Found): Refusal | undefined {
  const isAtRail = isNumber(raw) && (raw >= RAIL || raw <= -RAIL - 1);
  if (saturated === true || isAtRail)
    return refused('bank_saturated', 'the converter is at the end of its range');
  if (saturated === false || (saturated === undefined && isNumber(raw))) return undefined;
  return refused(
    'bank_saturated',
    `saturated is ${shown(saturated)}: it is not known to be within its range`,
  );
}

function judgeRange({ volts }: Found): Refusal | undefined {
  if (volts >= MIN_VOLTS && volts <= MAX_VOLTS) return undefined;
  return refused('bank_out_of_range', `${volts} V is not ${MIN_VOLTS} to ${MAX_VOLTS} V`);
}

/** The larger of the two, when both are reported. A member that is reported and is not a number makes it unknown. */
function reportedAgeMs(entry: Members): number | undefined {
  const told: number[] = [];
  for (const [name, factor] of [
    ['age_ms', 1],
    ['age_s', 1000],
  ] as const) {
    if (!(name in entry)) continue;
    const value = entry[name];
    if (!isNumber(value)) return undefined;
    // Rounded to a millionth: 0.9 s is 900 ms and not a hair more.
    told.push(Math.round(value * factor * 1e6) / 1e6);
  }
  return told.length === 0 ? undefined : told.some((age) => age < 0) ? Math.min(...told) : Math.max(...told);
}

const refused = (code: BankCode, message: string): Refusal => ({ code, message });

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const numberText = (value: unknown): string | null => (isNumber(value) ? String(value) : null);

function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}

const shown = (value: unknown): string =>
  value === undefined ? 'missing' : (JSON.stringify(value)?.slice(0, 80) ?? String(value));
