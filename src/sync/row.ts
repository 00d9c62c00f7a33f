import { decode } from '../scenario/source/decode.ts';

/** A scenario as the database holds it. */
export interface ScenarioRow {
  readonly id: string;
  readonly title: string | null;
  readonly text: string;
}

/** A row that holds no scenario. */
export interface SkippedRow {
  /** Null when the row has none. */
  readonly id: string | null;
  readonly reason: string;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The id of a row; numbers count, as databases number their rows. Undefined when it has none. */
export function idOf(row: JsonObject): string | undefined {
  const id = typeof row.id === 'number' && Number.isSafeInteger(row.id) ? String(row.id) : row.id;
  return typeof id === 'string' && id.trim() !== '' ? id : undefined;
}

/** Reads a row of the collection. Whatever is not a scenario says why. */
export function readRow(value: unknown): ScenarioRow | SkippedRow {
  if (!isObject(value)) return { id: null, reason: 'the row is not a JSON object' };
  const id = idOf(value);
  if (id === undefined) return { id: null, reason: 'the row has no id' };
  const { dsl, title } = value;
  if (dsl === undefined || dsl === null) return { id, reason: 'the row has no dsl' };
  if (typeof dsl !== 'string') return { id, reason: 'its dsl is not a text' };
  const reason = whyNoScenario(dsl);
  if (reason !== undefined) return { id, reason };
  return { id, title: typeof title === 'string' ? title : null, text: dsl };
}

/** Why a text cannot be a scenario whatever the language allows. Undefined when it can. */
function whyNoScenario(text: string): string | undefined {
  if (text.trim() === '') return 'its dsl is empty';
  // Written as UTF-8 it would be another text.
  if (!isWellFormed(text)) return 'its dsl holds half a character (a lone surrogate)';
  const decoded = decode(text, Number.POSITIVE_INFINITY);
  return 'fault' in decoded ? 'its dsl is an HTML page' : undefined;
}

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
