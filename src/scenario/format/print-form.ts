import { findCommand } from '../commands/lookup.ts';
import type { ElseForm, Form, PromptParts } from '../forms/form.ts';
import type { Token } from '../source/token.ts';
import { BLOCK_KINDS } from '../syntax/words.ts';
import { formatNumber } from '../values/number.ts';
import {
  printCondition,
  printDuration,
  printName,
  printRange,
  printValue,
  printWord,
  quote,
} from './words.ts';

/**
 * The canonical line of a command (language specification, section 14).
 * @param source the line as written, for forms that are kept
 */
export function printForm(form: Form, command: string, source: string): string {
  switch (form.form) {
    case 'set':
      return command === 'PUMP'
        ? `PUMP ${printValue(form.value)}`
        : `SET ${printName(form.target)} ${printValue(form.value)}`;
    case 'wait':
      return `${form.bySet ? 'SET WAIT' : 'WAIT'} ${printDuration(form.duration)}`;
    case 'reset-timer':
      return 'SET timer 0';
    case 'get':
      return `${command === 'VAL' || command === 'SET' ? 'VAL' : 'GET'} ${printName(form.name)}${form.unit === undefined ? '' : ` ${form.unit}`}`;
    case 'save':
      return `SAVE ${form.name === undefined ? '' : `${printName(form.name)} `}${printName(form.label)}`;
    case 'check':
      return `CHECK ${printCondition(form.condition, hasMixedRange(form) ? 'dots' : 'chain')}`;
    case 'if':
      return `${command} ${printCondition(form.condition, form.isRange ? 'dots' : 'chain')}${form.orElse ? ` ${printElse(form.orElse)}` : ''}`;
    case 'condition': {
      const action = form.action
        ? ` | ${form.action}${form.text === undefined ? '' : ` ${quote(form.text)}`}`
        : '';
      return `${asFirstWord(printCondition(form.condition, 'member'))}${action}`;
    }
    case 'correct':
      return `CORRECT ${quote(form.text)}`;
    case 'error':
      return `ERROR ${quote(form.text)}`;
    case 'else':
      return printElse(form.orElse);
    case 'optional':
      return 'OPTIONAL';
    case 'close':
      return command === 'REPEAT' ? 'REPEAT STOP' : command;
    case 'bound':
      if (form.low && form.high) return `RANGE ${printName(form.name)} ${printRange(form.low, form.high)}`;
      return `${form.side} ${printName(form.name)} ${printValue((form.low ?? form.high)!)}`;
    case 'delta':
      return `IF_DELTA ${printName(form.name)} ${printDuration(form.window)} ${printChange(form)}`;
    case 'sample': {
      const interval = form.interval === undefined ? '' : ` ${printDuration(form.interval)}`;
      return `SAMPLE ${printName(form.name)} ${form.start ? `START${interval}` : 'STOP'}`;
    }
    case 'log':
      return `${command} ${quote(form.text)}`;
    case 'verdict-text':
      return [
        form.when.toUpperCase(),
        ...(form.name === undefined ? [] : [quote(form.name)]),
        quote(form.text),
        ...(form.goTo === undefined ? [] : ['GOTO', quote(form.goTo)]),
        ...(form.retry === undefined ? [] : ['RETRY', String(form.retry)]),
      ].join(' ');
    case 'task':
      return [
        'TASK',
        ...(form.label === '' ? [] : [printWord(form.label)]),
        quote(form.text),
        ...(form.confirm ? ['CONFIRM', ...printClauses(form.confirm)] : []),
      ].join(' ');
    case 'prompt':
      return [
        'PROMPT',
        quote(form.text),
        ...(form.name === undefined ? [] : ['AS', printWord(form.name)]),
        ...printClauses(form),
      ].join(' ');
    case 'default':
      return `DEFAULT ${printName(form.name)} ${printValue(form.value)}`;
    case 'task-list':
      return `TASK: ${form.actions.map(({ word, object }) => `${bracketed(word)} ${bracketed(object)}`).join(' AND ')}`;
    case 'declare':
      return `VAR ${printName(form.name)} = ${printValue(form.value)}`;
    case 'calc':
      return `${command} ${printName(form.name)} = ${form.fn} ${quote(form.args.map(printArgument).join(', '))}`;
    case 'call':
      return [`${command}${form.loose ? ':' : ''}`, printName(form.macro), ...form.args.map(printToken)].join(
        ' ',
      );
    case 'repeat':
      return `REPEAT ${form.count}:`;
    case 'loop':
      if (form.condition) return `LOOP WHILE ${printCondition(form.condition, 'chain')}`;
      return `LOOP ${typeof form.times === 'object' ? printWord(form.times.template) : form.times} TIMES`;
    case 'goto':
      return `GOTO ${quote(form.goal)}`;
    case 'if-fail':
      return `IF_FAIL ${quote(form.key)} THEN`;
    case 'expect-device':
      return [command, form.path, form.chip, form.kind]
        .filter((text) => text !== undefined)
        .map((text, i) => (i === 0 ? text : printWord(text)))
        .join(' ');
    case 'expect-i2c-bus':
      return `${command} ${printWord(form.path)}`;
    case 'expect-i2c-chip':
      return `${command} ${printWord(form.address)}${form.name === undefined ? '' : ` ${printWord(form.name)}`}`;
    case 'api':
      return `${command} ${quote(form.path)}${form.body === undefined ? '' : ` ${quote(form.body)}`}`;
    case 'assert-status':
      return `ASSERT_STATUS ${form.status}`;
    case 'assert-json':
      return `ASSERT_JSON ${printWord(form.path)} ${form.operator} ${printWord(form.expected)}`;
    case 'assert-sensor':
      return `ASSERT_SENSOR ${printName(form.name)} ${form.operator} ${printValue(form.threshold)}`;
    case 'assert-valve':
      return `ASSERT_VALVE ${printName(form.name)} ${form.expected ? 'on' : 'off'}`;
    case 'save-json':
      return `SAVE_JSON ${printName(form.name)}`;
    case 'export':
      return `SHELL_EXPORT ${form.name} ${quote(form.value)}`;
    case 'arrow':
    case 'not-executable':
    case 'no-effect':
      return source;
  }
}

/** A joined condition with a range of its own needs the dots: a chain binds to its neighbours. */
const hasMixedRange = (form: Extract<Form, { form: 'check' }>): boolean =>
  (form.condition.kind === 'all' || form.condition.kind === 'any') &&
  form.condition.parts.every((part) => part.kind !== 'range' || (part.lowInclusive && part.highInclusive));

const bracketed = (text: string): string => (/[[\]]/.test(text) ? quote(text) : `[${text}]`);

/** A name at the start of a line is quoted when it would be taken for a command or a header. */
function asFirstWord(line: string): string {
  const word = /^[^\s'"]+/.exec(line)?.[0];
  if (word === undefined || !(findCommand(word) || BLOCK_KINDS.has(word.toUpperCase()))) return line;
  return quote(word) + line.slice(word.length);
}

const printClauses = ({ choices, timeout, orElse }: PromptParts): string[] => [
  ...(choices.length === 0 ? [] : ['CHOICES', ...choices.map(quote)]),
  ...(timeout === undefined ? [] : ['TIMEOUT', printDuration(timeout)]),
  ...(orElse ? [printElse(orElse)] : []),
];

function printElse(orElse: ElseForm): string {
  if (orElse.branch === 'open') return 'ELSE';
  return orElse.branch === 'goal'
    ? `ELSE GOAL ${quote(orElse.goal)}`
    : `ELSE ${orElse.level.toUpperCase()} ${quote(orElse.text)}`;
}

function printChange({ direction, threshold }: Extract<Form, { form: 'delta' }>): string {
  const text = printValue(threshold);
  return threshold.kind === 'quantity' && direction === 'rise' ? `+${text}` : text;
}

const printArgument = (value: Extract<Form, { form: 'calc' }>['args'][number]): string => {
  if (value.kind === 'quantity')
    return formatNumber(value.value) + (value.unit === undefined ? '' : ` ${value.unit}`);
  return value.kind === 'variable'
    ? value.name
    : value.kind === 'template' || value.kind === 'text'
      ? value.text
      : 'inf';
};

const printToken = (token: Token): string => (token.kind === 'bare' ? token.text : printWord(token.text));
