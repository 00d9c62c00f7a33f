import type { CheckTexts, Instruction } from './instruction.ts';
import type { PlanCommand } from './plan.ts';
import type { Program } from './program.ts';
import { renderCondition, renderSubject, renderValue } from './render-values.ts';

/** A program as indented lines: one for each block and instruction, positions and written texts left out. */
export function renderPlan({ blocks }: Program): string[] {
  return blocks.flatMap(({ kind, name, teardown, marks, instructions }) => [
    `${teardown ? 'teardown ' : ''}${marks.optional ? 'optional ' : ''}${kind} ${name}`,
    ...indent(instructions.flatMap(renderInstruction)),
  ]);
}

/**
 * The commands of a plan as lines. What is shown is all of the plan, and the plan all that is shown: two texts that mean
 * the same give the same lines.
 */
export const renderCommands = (commands: readonly PlanCommand[]): string[] =>
  // A command of a plan is an instruction without what only says where and how it was written.
  (commands as unknown as readonly Instruction[]).flatMap(renderInstruction);

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
const nested = (body: readonly Instruction[]) => indent(body.flatMap(renderInstruction));

const renderDuration = (duration: number | { readonly template: string }) =>
  typeof duration === 'number' ? `${duration} ms` : `\`${duration.template}\``;

function renderTexts({ pass, fail, onFalse, elseGoal }: CheckTexts): string[] {
  return [
    ...(onFalse === 'error' ? [] : [`else ${onFalse}`]),
    ...(pass === undefined ? [] : [`pass '${pass}'`]),
    ...(fail === undefined ? [] : [`fail '${fail}'`]),
    ...(elseGoal === undefined ? [] : [`else goal '${elseGoal}'`]),
  ];
}

const checkLine = (line: string, texts: CheckTexts) => [line, ...indent(renderTexts(texts))];

function renderInstruction(one: Instruction): string[] {
  switch (one.op) {
    case 'step':
      return [`step ${one.number} ${one.title}`];
    case 'actuate':
      return [`actuate ${one.id} ${renderValue(one.value)}`];
    case 'unknown-target':
      return [`unknown-target ${one.target} ${one.code}`];
    case 'set-parameter':
      return [`parameter ${one.name} ${renderValue(one.value)}`];
    case 'set-variable':
      return [`variable ${one.name} ${renderValue(one.value)}`];
    case 'wait':
      return [`wait ${renderDuration(one.durationMs)}`];
    case 'reset-timer':
      return ['reset-timer'];
    case 'read':
      return [`read ${renderSubject(one.subject)}${one.unit === undefined ? '' : ` in ${one.unit}`}`];
    case 'save':
      return [`save ${one.label}${one.subject ? ` of ${renderSubject(one.subject)}` : ''}`];
    case 'check':
      return checkLine(`check ${renderCondition(one.condition)}`, one.texts);
    case 'wait-until':
      return [
        `wait-until ${renderCondition(one.condition)}${one.message === undefined ? '' : ` '${one.message}'`}`,
      ];
    case 'gate':
      return [
        `gate ${renderCondition(one.condition)}`,
        ...nested(one.then),
        ...(one.otherwise.length > 0 ? ['else', ...nested(one.otherwise)] : []),
      ];
    case 'bound': {
      const low = one.low ? ` low ${renderValue(one.low)}` : '';
      const high = one.high ? ` high ${renderValue(one.high)}` : '';
      return [`bound ${renderSubject(one.subject)}${low}${high}`];
    }
    case 'delta':
      return checkLine(
        `delta ${renderSubject(one.subject)} ${one.direction} ${renderValue(one.threshold)} over ${renderDuration(one.windowMs)}`,
        one.texts,
      );
    case 'sample':
      return [
        `sample ${renderSubject(one.subject)} ${one.action}${one.action === 'start' ? ` ${renderDuration(one.intervalMs)}` : ''}`,
      ];
    case 'log':
      return [`log ${one.level} '${one.message}'`];
    case 'fail-goal':
      return [`fail-goal '${one.message}'`];
    case 'verdict-text':
      return [
        [
          `verdict-text ${one.when}`,
          ...(one.subject === undefined ? [] : [one.subject]),
          `'${one.message}'`,
          ...(one.goTo === undefined ? [] : [`goto '${one.goTo}'`]),
          ...(one.retry === undefined ? [] : [`retry ${one.retry}`]),
        ].join(' '),
      ];
    case 'prompt':
      return [
        [
          `prompt ${one.asks} '${one.message}'`,
          ...(one.name === undefined ? [] : [`as ${one.name}`]),
          ...one.choices.map((choice) => `choice '${choice}'`),
          ...(one.timeoutMs === undefined
            ? []
            : [
                `timeout ${typeof one.timeoutMs === 'number' ? one.timeoutMs : `\`${one.timeoutMs.template}\``}`,
              ]),
          ...(one.task ? ['task'] : []),
        ].join(' '),
        ...(one.otherwise ? ['else', ...nested(one.otherwise)] : []),
      ];
    case 'calc':
      return [`calc ${one.name} = ${one.fn} ${one.args.map(renderValue).join(', ')}`];
    case 'call':
      return [[`call ${one.macro}`, ...one.args].join(' '), ...nested(one.body)];
    case 'unknown-macro':
      return [`unknown-macro ${one.macro}`];
    case 'repeat':
      return [`repeat ${one.count}`, ...nested(one.body)];
    case 'loop': {
      const times =
        typeof one.times === 'number' ? ` ${one.times}` : one.times ? ` \`${one.times.template}\`` : '';
      return [
        `loop${times}${one.condition ? ` while ${renderCondition(one.condition)}` : ''}`,
        ...nested(one.body),
      ];
    }
    case 'goto':
      return [`goto ${one.goal}`];
    case 'if-fail':
      return [`if-fail ${one.key}`, ...nested(one.body)];
    case 'expect-device':
      return checkLine(
        [`expect-device ${one.path}`, one.chip, one.kind].filter((x) => x).join(' '),
        one.texts,
      );
    case 'expect-i2c-bus':
      return checkLine(`expect-i2c-bus ${one.path}`, one.texts);
    case 'expect-i2c-chip':
      return checkLine([`expect-i2c-chip ${one.address}`, one.name].filter((x) => x).join(' '), one.texts);
    case 'api':
      return [`api ${one.method} ${one.path}${one.body === undefined ? '' : ` ${one.body}`}`];
    case 'assert-status':
      return checkLine(`assert-status ${one.status}`, one.texts);
    case 'assert-json':
      return checkLine(`assert-json ${one.path} ${one.operator} ${one.expected}`, one.texts);
    case 'assert-sensor':
      return checkLine(
        `assert-sensor ${renderSubject(one.subject)} ${one.operator} ${renderValue(one.threshold)}`,
        one.texts,
      );
    case 'assert-valve':
      return checkLine(`assert-valve ${one.id} ${one.expected ? 'open' : 'closed'}`, one.texts);
    case 'save-json':
      return [`save-json ${one.name}`];
    case 'export':
      return [`export ${one.name} '${one.value}'`];
    case 'not-executable':
      return ['not-executable'];
    case 'no-effect':
      return ['no-effect'];
  }
}
