import { formatNumber } from '../values/number.ts';
import type { CheckTexts } from './instruction.ts';
import type { Condition, Operand, Subject, Value } from './operand.ts';

const withUnit = (text: string, unit: string | undefined) => (unit === undefined ? text : `${text} ${unit}`);

/** `5 l/min`, `-∞`, `$name`, `` `template $x` ``, `'text'`. */
export function renderValue(value: Value): string {
  switch (value.kind) {
    case 'quantity':
      return withUnit(formatNumber(value.value), value.unit);
    case 'infinity':
      return value.sign > 0 ? '∞' : '-∞';
    case 'variable':
      return withUnit(`$${value.name}`, value.unit);
    case 'template':
      return withUnit(`\`${value.text}\``, value.unit);
    case 'text':
      return withUnit(`'${value.text}'`, value.unit);
  }
}

/** Registry id of a sensor, `$name` of a variable, `Timer`, `?name` of what is unknown. */
export function renderSubject(subject: Subject): string {
  switch (subject.kind) {
    case 'sensor':
      return subject.id;
    case 'variable':
      return `$${subject.name}`;
    case 'timer':
      return 'Timer';
    case 'unknown':
      return `?${subject.name}`;
  }
}

function renderOperand(operand: Operand): string {
  if (operand.kind === 'subject') return withUnit(renderSubject(operand.subject), operand.unit);
  if (operand.kind === 'change') return withUnit(`Δ${renderSubject(operand.subject)}`, operand.unit);
  return renderValue(operand);
}

/** `6 bar <= sc-sensor <= 8 bar`; AND and OR with parentheses around each part. */
export function renderCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'all':
      return condition.parts.map((part) => `(${renderCondition(part)})`).join(' AND ');
    case 'any':
      return condition.parts.map((part) => `(${renderCondition(part)})`).join(' OR ');
    case 'comparison':
      return `${renderOperand(condition.left)} ${condition.operator} ${renderOperand(condition.right)}`;
    case 'range': {
      const low = `${renderValue(condition.low)} ${condition.lowInclusive ? '<=' : '<'}`;
      const high = `${condition.highInclusive ? '<=' : '<'} ${renderValue(condition.high)}`;
      return `${low} ${renderOperand(condition.subject)} ${high}`;
    }
  }
}

/** `500 ms`, `` `$pause` `` */
export const renderDuration = (duration: number | { readonly template: string }) =>
  typeof duration === 'number' ? `${duration} ms` : `\`${duration.template}\``;

export const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/** A check: its own line, and its texts below it. */
export const renderCheck = (line: string, texts: CheckTexts): string[] => [
  line,
  ...indent(renderTexts(texts)),
];

function renderTexts({ pass, fail, onFalse, elseGoal }: CheckTexts): string[] {
  return [
    ...(onFalse === 'error' ? [] : [`else ${onFalse}`]),
    ...(pass === undefined ? [] : [`pass '${pass}'`]),
    ...(fail === undefined ? [] : [`fail '${fail}'`]),
    ...(elseGoal === undefined ? [] : [`else goal '${elseGoal}'`]),
  ];
}
