import type { Token } from '../source/token.ts';
import type { SourceLine } from './source-line.ts';
import { onEachLine, type TextRule } from './text-rule.ts';

const OPERATOR = /^(?:<=?|>=?|==?|!=|≤|≥|≠)$/;

const isBare = (token: Token | undefined, word: string): boolean =>
  token?.kind === 'bare' && token.text.toUpperCase() === word;

/** `IF`, `OR IF`: the tokens of the condition, up to ELSE. Undefined for any other line. */
function conditionOf({ tokens }: SourceLine): readonly Token[] | undefined {
  const start = isBare(tokens[0], 'OR') ? 1 : 0;
  if (!isBare(tokens[start], 'IF')) return undefined;
  const end = tokens.findIndex((token) => isBare(token, 'ELSE'));
  return tokens.slice(start + 1, end < 0 ? undefined : end);
}

/** A comparison IF with a side, or the operator, in quotes or brackets. */
function isQuotedComparison(line: SourceLine): boolean {
  const condition = conditionOf(line);
  if (!condition?.some((token) => OPERATOR.test(token.text))) return false;
  return condition.some((token) => token.kind !== 'bare');
}

function hasElseError({ tokens }: SourceLine): boolean {
  return tokens.some((token, i) => isBare(token, 'ELSE') && isBare(tokens[i + 1], 'ERROR'));
}

/** A bracket that is an argument; the range after ∈ is none. */
const hasBracketArgument = ({ tokens }: SourceLine): boolean =>
  tokens.some((token, i) => token.kind === 'bracket' && tokens[i - 1]?.text !== '∈');

/** `[a]` as `'a'`; what stands behind the last `]` stays, so that each character is looked at once. */
function quoteBrackets(text: string): string {
  const end = text.lastIndexOf(']') + 1;
  return text.slice(0, end).replace(/\[([^\]]*)\]/g, "'$1'") + text.slice(end);
}

/**
 * The linter for texts of version 2: it names the forms that a text of that
 * version should no longer use, one finding for each line. Every rule is judged on the text alone:
 *
 * - `already_v4` the first meaningful line is `VERSION: 4`: nothing to do here (warning)
 * - `goal_inline_name_legacy` `GOAL: text` (or TEST)
 * - `task_legacy` `TASK:` with its verbs
 * - `calc_legacy` CALC, or its alias FUN
 * - `val_legacy` VAL
 * - `if_cmp_legacy` a comparison IF with a side or the operator in quotes or brackets
 * - `else_error_legacy` ELSE ERROR, on the line of the IF or below it
 * - `bracket_tokens_legacy` an argument in brackets (warning)
 */
export const V2_TEXT_RULES: readonly TextRule[] = [
  {
    rule: 'already_v4',
    severity: 'warning',
    find: (lines) =>
      lines[0] && /^VERSION:\s*4$/.test(lines[0].text)
        ? [{ line: lines[0].number, message: 'the text declares version 4 already; validate it as 4' }]
        : [],
  },
  {
    rule: 'goal_inline_name_legacy',
    severity: 'error',
    find: onEachLine(/^(?:GOAL|TEST)\s*:\s*\S/i, (text) => ({
      message: `"${text}" names the goal in its header`,
      suggestion: "GOAL:, then SET NAME '...'",
    })),
  },
  {
    rule: 'task_legacy',
    severity: 'error',
    find: onEachLine(/^TASK\s*:/i, (text) => ({
      message: `"${text}": TASK: with verbs is the old form of SET, GET and SAVE`,
      suggestion: "SET '<target>' '<value>'",
    })),
  },
  {
    rule: 'calc_legacy',
    severity: 'error',
    find: onEachLine(/^(?:CALC|FUN)\s/i, (text) => ({
      message: `"${text}": CALC is the old form of FUNC`,
      suggestion: text.replace(/^(?:CALC|FUN)/i, 'FUNC'),
    })),
  },
  {
    rule: 'val_legacy',
    severity: 'error',
    find: onEachLine(/^VAL\s/i, (text) => ({
      message: `"${text}": VAL is the old form of GET`,
      suggestion: text.replace(/^VAL/i, 'GET'),
    })),
  },
  {
    rule: 'if_cmp_legacy',
    severity: 'error',
    find: onEachLine(isQuotedComparison, (text) => ({
      message: `"${text}": a comparison with quoted or bracketed sides is the old form`,
      suggestion: "IF '<sensor>' '<low> .. <high> <unit>'",
    })),
  },
  {
    rule: 'else_error_legacy',
    severity: 'error',
    find: onEachLine(hasElseError, (text) => ({
      message: `"${text}": ELSE ERROR is the old form of ERROR below the check`,
      suggestion: "ERROR '<text>' on its own line below the IF",
    })),
  },
  {
    rule: 'bracket_tokens_legacy',
    severity: 'warning',
    find: onEachLine(hasBracketArgument, (text) => ({
      message: `"${text}" has arguments in brackets`,
      suggestion: quoteBrackets(text),
    })),
  },
];

/** Reported with every report of the profile. */
export const V2_MIGRATION_RULES = {
  target_version: '4',
  goal_format: "GOAL: alone on its line, then SET NAME '<name>'",
  task_format: "SET '<target>' '<value>' instead of TASK: verb object",
  condition_format: "IF '<sensor>' '<low> .. <high> <unit>' with CORRECT and ERROR below",
} as const;
