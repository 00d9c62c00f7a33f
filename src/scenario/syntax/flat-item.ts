import type { Token } from '../source/token.ts';
import type { BodyItem, Statement } from './node.ts';

/** A line of a block before nesting: the node and its indentation. */
export interface FlatItem {
  readonly node: BodyItem;
  readonly indent: number;
}

/** A statement while the reader is still filling it in. */
export type OpenStatement = { -readonly [K in keyof Statement]: Statement[K] };

/** The statement of an item; undefined for other lines. */
export const statementOf = (item: FlatItem | undefined): OpenStatement | undefined =>
  item?.node.type === 'statement' ? item.node : undefined;

/** Second word of a statement in upper case, for example ERROR of `ELSE ERROR 't'`. */
export const secondWord = (statement: Statement): string => statement.tokens[1]?.text.toUpperCase() ?? '';

/** True for a token that holds the dots of a range: `..`, `6..8`, `'6 .. 8 bar'`. */
const holdsRange = (text: string): boolean => text.includes('..');

/** True when an IF is a range check, never a branch. */
export const isRangeIf = (statement: Statement): boolean =>
  statement.tokens.some((token, index) => index > 0 && token.kind !== 'bracket' && holdsRange(token.text));

/** CONFIRM after the text of a TASK, not a word of an unquoted text. */
export const isConfirm = (token: Token, before: Token | undefined): boolean =>
  before !== undefined &&
  token.kind === 'bare' &&
  (token.text === 'CONFIRM' || (before.kind !== 'bare' && /^confirm$/i.test(token.text)));

/** A command that waits for the operator and may have an ELSE for the answer no: PROMPT, `TASK 't' CONFIRM`. */
export const isPrompt = ({ command, tokens }: Statement): boolean =>
  command === 'PROMPT' ||
  (command === 'TASK' && tokens.some((token, index) => index > 1 && isConfirm(token, tokens[index - 1])));

/** `ELSE ERROR 't'` and the like, on the IF line itself. */
export const hasInlineElse = (statement: Statement): boolean =>
  statement.tokens.some((token, index) => index > 0 && token.kind === 'bare' && /^else$/i.test(token.text));

/** ELSE with a message: reports, never branches. */
export const isElseMessage = (statement: Statement): boolean =>
  statement.command === 'ELSE' && /^(ERROR|INFO|WARNING)$/.test(secondWord(statement));

/** `REPEAT STOP`, or REPEAT alone. */
export const isRepeatStop = (statement: Statement): boolean =>
  statement.command === 'REPEAT' && (statement.tokens.length === 1 || /^STOP:?$/.test(secondWord(statement)));
