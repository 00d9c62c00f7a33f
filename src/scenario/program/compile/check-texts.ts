import type { Pos } from '../../source/position.ts';
import { shorten } from '../../values/number-fault.ts';
import type { CheckTexts } from '../instruction.ts';
import type { Condition, Operand } from '../operand.ts';
import type { Site } from './scope.ts';
import { keyOf, type Leaf, leavesOf } from './subject-key.ts';

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
 * that must hold, and was probably written the other way round. A range fails on both sides: a text that names one of
 * them is wrong for the other.
 */
export function checkContradiction(condition: Condition, texts: OpenTexts, pos: Pos, site: Site): void {
  const { fail } = texts;
  if (fail === undefined || condition.kind === 'any') return;
  const low = SAYS_LOW.test(fail);
  if (low === SAYS_HIGH.test(fail)) return;
  const sides = [...leavesOf(condition)].flatMap(sidesOf);
  const [first] = sides;
  if (!first || sides.some(({ key }) => key !== first.key)) return;
  const text = shorten(fail);
  if (!sides.some(({ side }) => side === (low ? 'low' : 'high')))
    site.report(
      'SCN133',
      `the text "${text}" contradicts the condition: it is shown when ${first.name} is too ${low ? 'high' : 'low'}; reverse the operator or correct the text`,
      pos,
    );
  else if (sides.some(({ side, isFloor }) => side !== (low ? 'low' : 'high') && !isFloor))
    site.report(
      'SCN133',
      `the text "${text}" is also shown when ${first.name} is too ${low ? 'high' : 'low'}; write a text that fits both, for example outside its limits`,
      pos,
    );
}

interface Side {
  readonly key: string;
  readonly name: string;
  /** On which side of its limit a value makes the condition fail. */
  readonly side: 'low' | 'high';
  /** A lower limit of zero or less: hardly anything measured lies below. */
  readonly isFloor: boolean;
}

function sidesOf(leaf: Leaf): Side[] {
  const operand = leaf.kind === 'range' ? leaf.subject : leaf.left;
  if (operand.kind !== 'subject') return [];
  const side = (which: Side['side'], limit: Operand): Side[] =>
    limit.kind === 'infinity'
      ? []
      : [
          {
            key: keyOf(operand.subject),
            name: operand.subject.name,
            side: which,
            isFloor: which === 'low' && limit.kind === 'quantity' && limit.value <= 0,
          },
        ];
  if (leaf.kind === 'range') return [...side('low', leaf.low), ...side('high', leaf.high)];
  if (leaf.operator === '<' || leaf.operator === '<=') return side('high', leaf.right);
  return leaf.operator === '>' || leaf.operator === '>=' ? side('low', leaf.right) : [];
}
