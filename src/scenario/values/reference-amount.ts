import { looksLikeUnit } from './quantity.ts';

/** A text that stands for the amount of one variable. */
export interface ReferenceAmount {
  readonly name: string;
  /** The text asks for the negative of the variable. */
  readonly isNegative: boolean;
  /** As written behind the variable, itself perhaps a variable; undefined when there is none. */
  readonly unit: string | undefined;
}

const HEAD =
  /^([+\-−]?)\$(?:\{([^{}\s]+)\}|([\p{L}_][\p{L}\p{N}_]*(?:\.(?:count|min|max|avg|last|stddev|first|delta)\b)?))/u;
const ONE_REFERENCE = /^\$(?:\{[^{}\s]+\}|[\p{L}_][\p{L}\p{N}_]*)$/u;

/**
 * Reads `$name`, `-$name`, `${name}mbar`, `$name l/min`: one variable, at most a sign before it and a unit behind it.
 * Undefined for any other text. Takes a time linear in the length of the text.
 */
export function referenceAmount(text: string): ReferenceAmount | undefined {
  const trimmed = text.trim();
  const head = HEAD.exec(trimmed);
  const name = head?.[2] ?? head?.[3];
  if (!head || name === undefined) return undefined;
  const rest = trimmed.slice(head[0].length).trim();
  if (rest !== '' && !looksLikeUnit(rest) && !ONE_REFERENCE.test(rest)) return undefined;
  const isNegative = head[1] === '-' || head[1] === '−';
  return { name, isNegative, unit: rest === '' ? undefined : rest };
}
