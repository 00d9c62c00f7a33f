import type { Instruction } from '../../program/instruction.ts';
import type { ComparisonOperator } from '../../program/operand.ts';
import { RunFault } from '../../rig/fault.ts';
import { parseNumber } from '../../values/number.ts';
import type { Command, Flow } from '../command.ts';
import { compare } from '../compare.ts';
import { atPath } from '../json-path.ts';
import { conclude, evaluateHere, type Judgement, judgementOf, judgeReadings } from './check.ts';

const plain = (kind: string, holds: boolean, text: string, names: readonly string[]): Judgement => ({
  kind,
  holds,
  sensor: null,
  op: '=',
  low: null,
  high: null,
  actual: null,
  unit: null,
  text,
  names,
});

function lastAnswer(what: string, { run }: Command) {
  const answer = run.lastAnswer;
  if (!answer) throw new RunFault('SCN411', `${what}: there is no answer of an API call to look at`);
  return answer;
}

export async function assertStatus(
  { status, texts }: Extract<Instruction, { op: 'assert-status' }>,
  command: Command,
): Promise<Flow> {
  const answer = lastAnswer('ASSERT_STATUS', command);
  const judgement = plain(
    'ASSERT_STATUS',
    answer.status === status,
    `status ${answer.status}, expected ${status}`,
    [],
  );
  return conclude({ ...judgement, actual: answer.status, low: status, high: status }, texts, command);
}

export async function assertJson(
  { path, operator, expected: written, texts }: Extract<Instruction, { op: 'assert-json' }>,
  command: Command,
): Promise<Flow> {
  const { run } = command;
  const expected = written.includes('$') ? run.strictText(written) : written;
  const answer = lastAnswer('ASSERT_JSON', command);
  command.about(path);
  const { found, value } = atPath(answer.body, path);
  const holds = found && jsonHolds(value, operator, expected);
  const actual = found ? told(value) : null;
  const text = `${path} is ${found ? JSON.stringify(value)?.slice(0, 200) : 'missing'}, expected ${operator} ${expected}`;
  return conclude({ ...plain('ASSERT_JSON', holds, text, [path]), op: operator, actual }, texts, command);
}

const told = (value: unknown): number | string | boolean | null =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' || value === null
    ? value
    : (JSON.stringify(value)?.slice(0, 200) ?? null);

function jsonHolds(value: unknown, operator: ComparisonOperator | 'contains', expected: string): boolean {
  if (operator === 'contains') return contains(value, expected);
  const number =
    typeof value === 'number' ? value : typeof value === 'string' ? parseNumber(value) : undefined;
  const limit = parseNumber(expected);
  if (number !== undefined && limit !== undefined) return compare(number, operator, limit);
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  const same = typeof value === 'boolean' ? text === expected.trim().toLowerCase() : text === expected;
  if (operator === '=') return same;
  return operator === '!=' ? !same : false;
}

function contains(value: unknown, expected: string): boolean {
  if (typeof value === 'string') return value.includes(expected);
  if (Array.isArray(value)) return value.some((item) => jsonHolds(item, '=', expected));
  return typeof value === 'object' && value !== null && Object.hasOwn(value, expected);
}

/** ASSERT_SENSOR: volts may be asked of a calibrated sensor too, as its raw unit. */
export async function assertSensor(
  { subject, operator, threshold, texts }: Extract<Instruction, { op: 'assert-sensor' }>,
  command: Command,
): Promise<Flow> {
  const condition = {
    kind: 'comparison',
    left: { kind: 'subject', subject },
    operator,
    right: threshold,
  } as const;
  const evaluation = await evaluateHere(condition, command);
  const flow = conclude(judgementOf('ASSERT_SENSOR', evaluation), texts, command);
  judgeReadings(evaluation, command);
  return flow;
}

export async function assertValve(
  { target, id, expected, texts }: Extract<Instruction, { op: 'assert-valve' }>,
  command: Command,
): Promise<Flow> {
  const { run } = command;
  const name = target.includes('$') ? run.strictText(target) : target;
  const valve = run.registry.peripheral(name);
  if (target !== name && valve?.kind !== 'valve')
    throw new RunFault('SCN221', `"${name}" is no valve of this rig`);
  const names = [name, valve?.id ?? id];
  command.about(...names);
  const word = (open: boolean) => (open ? 'open' : 'closed');
  const open = await command.timed((signal) => run.rig.valveState(valve?.id ?? id, signal));
  const text = `${name} is ${word(open)}, expected ${word(expected)}`;
  return conclude(
    { ...plain('ASSERT_VALVE', open === expected, text, names), sensor: name, actual: open },
    texts,
    command,
  );
}
