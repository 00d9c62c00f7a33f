import { findCommand } from '../commands/lookup.ts';
import type { Pos } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import { Args } from './args.ts';
import type { Form } from './form.ts';
import { parseArrow } from './parse-arrow.ts';
import { parseDefault } from './parse-default.ts';
import * as diagnostic from './parse-diagnostic.ts';
import * as flow from './parse-flow.ts';
import * as judging from './parse-judging.ts';
import { parsePrompt, parseTask } from './parse-prompt.ts';
import * as values from './parse-values.ts';
import type { Report } from './reporter.ts';

type Parser = (args: Args) => Form | undefined;

const text =
  (make: (text: string) => Form): Parser =>
  (args) => {
    const found = args.text('a text', `${args.command} 'too high'`);
    return found === undefined ? undefined : make(found);
  };

/** `END IF` says what it closes; any other text behind a closing word could be a command that would not run. */
const close: Parser = (args) => {
  const isName = args.left === 1 && /^(if|if_fail|loop|repeat)$/i.test(args.peek()!.text);
  args.end(isName ? 'W' : 'E');
  return { form: 'close' };
};

/** `OPTIONAL`, `SET OPTIONAL` */
const optional: Parser = (args) => {
  if (/^set$/i.test(args.tokens[0]!.text)) args.take();
  const extra = args.peek();
  if (extra) args.report('SCN278', 'OPTIONAL stands alone on its line; remove what follows it', extra.pos);
  return { form: 'optional' };
};

/** One parser a command of the table. */
const PARSERS: Readonly<Record<string, Parser>> = {
  SET: values.parseSet,
  PUMP: values.parsePump,
  NAME: (args) => {
    args.missing('a name', "NAME 'Leak test'");
    return undefined;
  },
  OPTIONAL: optional,
  WAIT: values.parseWait,
  GET: values.parseGet,
  VAL: values.parseGet,
  SAVE: values.parseSave,
  VAR: (args) => {
    args.report('SCN301', 'VAR is an old form; write SET', args.tokens[0]!.pos);
    return values.parseVar(args);
  },
  CALC: (args) => {
    args.report('SCN301', 'CALC is an old form', args.tokens[0]!.pos);
    return values.parseCalc(args);
  },
  'TASK:': values.parseTaskList,
  '→': parseArrow,
  CHECK: judging.parseCheck,
  IF: judging.parseIf,
  'OR IF': judging.parseIf,
  CONDITION: judging.parseConditionLine,
  ELSE: judging.parseElse,
  MIN: (args) => judging.parseBound(args, 'MIN'),
  MAX: (args) => judging.parseBound(args, 'MAX'),
  RANGE: (args) => judging.parseBound(args, 'RANGE'),
  IF_DELTA: judging.parseDelta,
  SAMPLE: judging.parseSample,
  ASSERT_STATUS: judging.parseAssertStatus,
  ASSERT_JSON: judging.parseAssertJson,
  ASSERT_SENSOR: judging.parseAssertSensor,
  ASSERT_VALVE: judging.parseAssertValve,
  CORRECT: text((found) => ({ form: 'correct', text: found })),
  ERROR: text((found) => ({ form: 'error', text: found })),
  LOG: text((found) => ({ form: 'log', level: 'info', text: found })),
  INFO: text((found) => ({ form: 'log', level: 'info', text: found })),
  ALARM: text((found) => ({ form: 'log', level: 'alarm', text: found })),
  RESULT: text((found) => ({ form: 'log', level: 'result', text: found })),
  PASS: (args) => flow.parseVerdictText(args, 'pass'),
  FAIL: (args) => flow.parseVerdictText(args, 'fail'),
  TASK: parseTask,
  PROMPT: parsePrompt,
  DEFAULT: parseDefault,
  CALL: flow.parseCall,
  FUNC: (args) => (args.peek(1)?.text === '=' ? values.parseCalc(args) : flow.parseCall(args)),
  REPEAT: flow.parseRepeat,
  LOOP: flow.parseLoop,
  GOTO: flow.parseGoto,
  IF_FAIL: flow.parseIfFail,
  ENDIF: close,
  END: close,
  ENDLOOP: close,
  EXPECT_DEVICE: diagnostic.parseExpectDevice,
  EXPECT_I2C_BUS: diagnostic.parseExpectBus,
  EXPECT_I2C_CHIP: diagnostic.parseExpectChip,
  API_GET: (args) => diagnostic.parseApi(args, 'GET'),
  API_POST: (args) => diagnostic.parseApi(args, 'POST'),
  API_PUT: (args) => diagnostic.parseApi(args, 'PUT'),
  API_DELETE: (args) => diagnostic.parseApi(args, 'DELETE'),
  SAVE_JSON: diagnostic.parseSaveJson,
  SHELL_EXPORT: diagnostic.parseExport,
  ALLOW: () => ({ form: 'no-effect' }),
  DENY: () => ({ form: 'no-effect' }),
};

/**
 * Understands the arguments of one statement. Undefined after a report, or when a macro argument is still missing
 * where a literal is needed.
 * @param tokens the statement's tokens, macro arguments already filled in
 */
export function parseForm(
  command: string,
  tokens: readonly Token[],
  pos: Pos,
  report: Report,
): Form | undefined {
  if (!Object.hasOwn(PARSERS, command)) return { form: 'not-executable' };
  const isTwoWords = command === 'OR IF' && !findCommand(tokens[0]!.text);
  return PARSERS[command]!(new Args(command, tokens, pos, report, isTwoWords ? 2 : 1));
}
