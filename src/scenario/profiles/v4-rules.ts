import type { SourceLine } from './source-line.ts';
import { type Finding, onEachLine, type TextRule } from './text-rule.ts';

const VERSION_4 = /^VERSION:\s*4$/;
const BARE_GOAL = /^(?:GOAL|TEST)\s*:$/i;
const QUOTED_NAME = /^SET\s+NAME\s+(?:'[^']+'|"[^"]+")$/i;
const REPEAT = /^REPEAT(?=$|[\s:])/i;
/** `$1` and `${n}` are numbers once a macro is expanded. */
const REPEAT_FORM = /^REPEAT\s+(?:(?:\d+|\$\{?\w+\}?)\s*:|STOP)$/i;

/** The first meaningful line, unless it is `VERSION: 4`. */
const wrongFirstLine = (lines: readonly SourceLine[]) =>
  lines[0] && !VERSION_4.test(lines[0].text) ? lines[0] : undefined;

function findVersionFirstLine(lines: readonly SourceLine[]): Finding[] {
  const first = wrongFirstLine(lines);
  if (!first) return [];
  return [
    {
      line: first.number,
      message: `the first line must be "VERSION: 4", found "${first.text}"`,
      suggestion: 'VERSION: 4',
    },
  ];
}

/** Fires together with version_first_line, without a line; for a text without any line it is the only one. */
function findVersionPresent(lines: readonly SourceLine[]): Finding[] {
  if (lines.length > 0 && !wrongFirstLine(lines)) return [];
  const what = lines.length === 0 ? 'the text is empty' : 'the text does not start with VERSION: 4';
  return [
    {
      line: null,
      message: `${what}; a scenario of version 4 starts with "VERSION: 4"`,
      suggestion: 'VERSION: 4',
    },
  ];
}

function findGoalSetName(lines: readonly SourceLine[]): Finding[] {
  return lines.flatMap((line, index) => {
    const next = lines[index + 1];
    if (!BARE_GOAL.test(line.text) || (next && QUOTED_NAME.test(next.text))) return [];
    const found = next ? `"${next.text}" on line ${next.number}` : 'the end of the text';
    return [
      {
        line: line.number,
        message: `the first line of a goal must be SET NAME with a quoted name, but here it is ${found}`,
        suggestion: "SET NAME '...'",
      },
    ];
  });
}

/**
 * The rules of version 4 that are judged on the text. "4" is 4 for good, never
 * "newest". TEST is judged as GOAL, since the language takes it for GOAL.
 */
export const V4_TEXT_RULES: readonly TextRule[] = [
  { rule: 'version_first_line', severity: 'error', find: findVersionFirstLine },
  { rule: 'version_present', severity: 'error', find: findVersionPresent },
  {
    rule: 'goal_inline_name',
    severity: 'error',
    find: onEachLine(/^(?:GOAL|TEST)\s*:\s*\S/i, (text) => ({
      message: `"${text}" names the goal in its header; version 4 names it on the next line`,
      suggestion: `GOAL:, then SET NAME '${text.replace(/^\w+\s*:\s*|:$|['"]/g, '')}'`,
    })),
  },
  { rule: 'goal_set_name', severity: 'error', find: findGoalSetName },
  {
    rule: 'loop_deprecated',
    severity: 'error',
    find: onEachLine(/^LOOP\b/i, (text) => ({
      message: `"${text}": LOOP does not exist in version 4`,
      suggestion: 'REPEAT n: ... REPEAT STOP',
    })),
  },
  {
    rule: 'repeats_typo',
    severity: 'error',
    find: onEachLine(/^REPEATS\b/i, (text) => ({
      message: `"${text}": the command is REPEAT`,
      suggestion: text.replace(/^REPEATS/i, 'REPEAT'),
    })),
  },
  {
    rule: 'repeat_format',
    severity: 'error',
    find: onEachLine(
      ({ text }) => REPEAT.test(text) && !REPEAT_FORM.test(text),
      (text) => ({
        message: `"${text}" is neither "REPEAT n:" nor "REPEAT STOP"`,
        suggestion: /^REPEAT$/i.test(text) ? 'REPEAT STOP' : 'REPEAT n:',
      }),
    ),
  },
];

/** Reported with every report of the profile. */
export const V4_MIGRATION_RULES = {
  version: 'VERSION: 4 is the first line',
  goal_format: "GOAL: alone on its line, then SET NAME '<name>' as its first command",
  loop_format: 'REPEAT <n>: ... REPEAT STOP',
  set_format: "SET '<target>' '<value> <unit>'",
} as const;
