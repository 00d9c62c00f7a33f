import type { Form, FormName } from '../forms/form.ts';
import type { Instruction, OperationName } from '../program/instruction.ts';
import { allow } from './allow.ts';
import { api } from './api/api.ts';
import { arrow } from './arrow.ts';
import { assertJson } from './assert-json.ts';
import { assertSensor } from './assert-sensor.ts';
import { assertStatus } from './assert-status.ts';
import { assertValve } from './assert-valve.ts';
import { bounds } from './bounds.ts';
import { calc } from './calc.ts';
import { call } from './call.ts';
import { check } from './check.ts';
import { closing } from './closing.ts';
import { condition } from './condition.ts';
import { correct } from './correct.ts';
import { defaultCommand } from './default.ts';
import type { DefinedCommand, DefinedWords, OperationDefinition } from './define-command.ts';
import { otherwise } from './else.ts';
import { error } from './error.ts';
import { expectDevice } from './expect-device.ts';
import { expectI2cBus } from './expect-i2c-bus.ts';
import { expectI2cChip } from './expect-i2c-chip.ts';
import { get } from './get.ts';
import { goTo } from './goto.ts';
import { ifCommand } from './if.ts';
import { ifDelta } from './if-delta.ts';
import { ifFail } from './if-fail.ts';
import { include } from './include.ts';
import { log } from './log.ts';
import { loop } from './loop.ts';
import { name } from './name.ts';
import { notExecutable } from './not-executable.ts';
import { optional } from './optional.ts';
import { prompt } from './prompt/prompt.ts';
import { task } from './prompt/task.ts';
import { repeat } from './repeat.ts';
import { resetTimer } from './reset-timer.ts';
import { sample } from './sample.ts';
import { save } from './save.ts';
import { saveJson } from './save-json.ts';
import { set } from './set/set.ts';
import { shellExport } from './shell-export.ts';
import type { CommandSpec } from './spec.ts';
import { step } from './step.ts';
import { taskList } from './task-list.ts';
import { variable } from './var.ts';
import { verdictText } from './verdict-text.ts';
import { wait } from './wait.ts';

/** Every command of the language, in the order of the documentation. */
const DEFINED = [
  set,
  resetTimer,
  name,
  optional,
  wait,
  get,
  save,
  check,
  condition,
  ifCommand,
  correct,
  error,
  otherwise,
  closing,
  bounds,
  ifDelta,
  sample,
  log,
  verdictText,
  task,
  prompt,
  taskList,
  arrow,
  variable,
  defaultCommand,
  calc,
  call,
  include,
  repeat,
  loop,
  goTo,
  ifFail,
  expectDevice,
  expectI2cBus,
  expectI2cChip,
  api,
  assertStatus,
  assertJson,
  assertSensor,
  assertValve,
  saveJson,
  shellExport,
  allow,
  notExecutable,
] as const;

type Defined = Extract<(typeof DEFINED)[number], { form: unknown }>;
type KeysOf<T> = T extends unknown ? keyof T : never;
type Nothing<T extends never> = T;
/** A form or an operation whose command is missing above does not compile. */
export type Missing = Nothing<
  Exclude<FormName, Defined['form']> | Exclude<OperationName, KeysOf<Defined['operations']> | 'step'>
>;

export const COMMANDS: readonly CommandSpec[] = DEFINED.flatMap(({ specs }) => specs);

/** Language version that brought each command. */
export const SINCE: ReadonlyMap<string, number> = new Map(COMMANDS.map((spec) => [spec.name, spec.since]));

const byWord = new Map<string, DefinedWords>([
  ...DEFINED.flatMap((one) => one.specs.map((spec) => [spec.name, one] as const)),
  // A line that starts with the name of a sensor.
  ['CONDITION', condition],
]);
const byForm = new Map<FormName, DefinedCommand>();
const byOperation = new Map<OperationName, OperationDefinition>([['step', step]]);
for (const one of DEFINED) {
  if (!('form' in one)) continue;
  byForm.set(one.form, one);
  for (const [op, definition] of Object.entries(one.operations))
    byOperation.set(op as OperationName, definition);
}

/** The parser for the lines of a word. A word outside the table is known but not executable. */
export const commandOfWord = (word: string): DefinedWords => byWord.get(word) ?? notExecutable;

export const commandOfForm = ({ form }: Form): DefinedCommand => byForm.get(form)!;

export const operationOf = ({ op }: Instruction): OperationDefinition => byOperation.get(op)!;
