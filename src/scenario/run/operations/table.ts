import type { Instruction, OperationName } from '../../program/instruction.ts';
import type { Command, Flow } from '../command.ts';
import { actuate, unknownTarget } from './actuate.ts';
import { api, exportValue } from './api.ts';
import { assertJson, assertSensor, assertStatus, assertValve } from './asserts.ts';
import { bound } from './bound.ts';
import { calc } from './calc.ts';
import { check, gate } from './check.ts';
import { delta } from './delta.ts';
import { expectDevice, expectI2cBus, expectI2cChip } from './expect.ts';
import { call, goTo, ifFail, loop, repeat, unknownMacro } from './flow.ts';
import { failGoal, log, noEffect, notExecutable, verdictText } from './messages.ts';
import { prompt } from './prompt.ts';
import { get, save, saveJson } from './read.ts';
import { sample } from './sample.ts';
import { setParameter, setPlainVariable } from './variables.ts';
import { wait } from './wait.ts';
import { waitUntil } from './wait-until.ts';

type Handler<I extends Instruction> = (instruction: I, command: Command) => Promise<Flow> | Promise<void>;

type Executable = Exclude<OperationName, 'step'>;

/** How each operation runs. */
const OPERATIONS: { readonly [K in Executable]: Handler<Extract<Instruction, { op: K }>> } = {
  actuate,
  'unknown-target': unknownTarget,
  'set-parameter': setParameter,
  'set-variable': setPlainVariable,
  wait,
  read: get,
  save,
  check,
  'wait-until': waitUntil,
  gate,
  bound,
  delta,
  sample,
  log,
  'fail-goal': failGoal,
  'verdict-text': verdictText,
  prompt,
  calc,
  call,
  'unknown-macro': unknownMacro,
  repeat,
  loop,
  goto: goTo,
  'if-fail': ifFail,
  'expect-device': expectDevice,
  'expect-i2c-bus': expectI2cBus,
  'expect-i2c-chip': expectI2cChip,
  api,
  'assert-status': assertStatus,
  'assert-json': assertJson,
  'assert-sensor': assertSensor,
  'assert-valve': assertValve,
  'save-json': saveJson,
  export: exportValue,
  'not-executable': notExecutable,
  'no-effect': noEffect,
};

export function execute(instruction: Exclude<Instruction, { op: 'step' }>, command: Command): Promise<Flow> {
  const handler = OPERATIONS[instruction.op] as Handler<Instruction>;
  return handler(instruction, command) as Promise<Flow>;
}

/** Operations whose faults concern actuators, and so the whole run (language specification, section 5.3). */
export const ACTUATING: ReadonlySet<OperationName> = new Set<OperationName>([
  'actuate',
  'unknown-target',
  'set-parameter',
]);
