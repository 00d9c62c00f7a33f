import type { ComparisonOperator } from '../program/operand.ts';
import type { Token } from '../source/token.ts';
import { OPERATORS } from '../syntax/words.ts';

/** A piece of a condition. */
export type Atom =
  | { readonly type: 'word'; readonly text: string; readonly quoted: boolean; readonly token: Token }
  | { readonly type: 'operator'; readonly operator: ComparisonOperator | '∈'; readonly token: Token }
  | { readonly type: 'dots'; readonly token: Token }
  | { readonly type: 'and' | 'or' | 'else' | 'bar'; readonly token: Token };

export type WordAtom = Extract<Atom, { type: 'word' }>;

const LOGICAL: Readonly<Record<string, 'and' | 'or' | 'else' | 'bar'>> = {
  AND: 'and',
  OR: 'or',
  ELSE: 'else',
  '|': 'bar',
};
const SPECIAL = /[<>=!≤≥≠∈]|\.\./;
const PIECES = /<=|>=|==|!=|[<>=≤≥≠∈]|\.\.|(?:(?!<=|>=|==|!=|[<>=≤≥≠∈]|\.\.)[\s\S])+/g;

/** Splits tokens into the pieces of a condition: `p<=8`, `6..8bar` and `'95 .. 100 %'` come apart. */
export function atomize(tokens: readonly Token[]): Atom[] {
  const atoms: Atom[] = [];
  for (const token of tokens) {
    if (token.kind === 'bracket') {
      const operator = OPERATORS.get(token.text);
      atoms.push(
        operator
          ? { type: 'operator', operator, token }
          : { type: 'word', text: token.text, quoted: false, token },
      );
    } else if (token.quoted) {
      if (token.text.includes('..')) split(token, atoms);
      else atoms.push({ type: 'word', text: token.text, quoted: true, token });
    } else {
      const logical = Object.hasOwn(LOGICAL, token.text.toUpperCase())
        ? LOGICAL[token.text.toUpperCase()]
        : undefined;
      if (logical) atoms.push({ type: logical, token });
      else if (SPECIAL.test(token.text)) split(token, atoms);
      else atoms.push({ type: 'word', text: token.text, quoted: false, token });
    }
  }
  return atoms;
}

function split(token: Token, atoms: Atom[]): void {
  for (const [piece] of token.text.matchAll(PIECES)) {
    const operator = OPERATORS.get(piece);
    if (piece === '..') atoms.push({ type: 'dots', token });
    else if (operator) atoms.push({ type: 'operator', operator, token });
    else
      for (const word of token.quoted ? [piece.trim()] : piece.split(/\s+/))
        if (word !== '') atoms.push({ type: 'word', text: word, quoted: token.quoted, token });
  }
}
