import type { Pos } from '../../source/position.ts';
import type { CheckTexts } from '../instruction.ts';
import type { Condition } from '../operand.ts';
import type { Site } from './scope.ts';

/** Texts of a check while CORRECT, ERROR and ELSE lines still add to them. */
export interface OpenTexts {
  pass?: string;
  fail?: string;
  onFalse: CheckTexts['onFalse'];
  elseGoal?: string;
}

export const openTexts = (): OpenTexts => ({ onFalse: 'error' });

/** Appends a text line; a second one of its kind is reported (SCN130). */
export function appendText(
  texts: OpenTexts,
  kind: 'pass' | 'fail',
  text: string,
  pos: Pos,
  site: Site,
): void {
  const before = texts[kind];
  if (before === undefined) {
    texts[kind] = text;
    return;
  }
  const word = kind === 'pass' ? 'CORRECT' : 'ERROR';
  site.report('SCN130', `this check has a ${word} text already; both are joined`, pos);
  texts[kind] = `${before} ${text}`;
}

const SAYS_LOW = /\b(below|too low|under|less than|min(?:imum)?)\b|poniżej|za nisk|zbyt nisk/i;
const SAYS_HIGH = /\b(above|too high|over|exceeds?|more than|max(?:imum)?)\b|powyżej|za wysok|zbyt wysok/i;

/**
 * SCN133: `p < 15 ELSE ERROR 'below minimum'` reports "below" exactly when p is 15 or more: the condition is the one
 * that must hold, and was probably written the other way round.
 */
export function checkContradiction(condition: Condition, texts: OpenTexts, pos: Pos, site: Site): void {
  if (condition.kind !== 'comparison' || texts.fail === undefined || condition.left.kind !== 'subject')
    return;
  const low = SAYS_LOW.test(texts.fail);
  const high = SAYS_HIGH.test(texts.fail);
  if (low === high) return;
  const failsHigh = condition.operator === '<' || condition.operator === '<=';
  const failsLow = condition.operator === '>' || condition.operator === '>=';
  if ((failsHigh && low) || (failsLow && high))
    site.report(
      'SCN133',
      `the text "${texts.fail}" contradicts the condition: it is reported when ${condition.left.subject.name} ${condition.operator} ... does not hold; turn the operator or correct the text`,
      pos,
    );
}
