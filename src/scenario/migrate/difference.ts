import { isDeepStrictEqual } from 'node:util';
import type { Instruction } from '../program/instruction.ts';
import { planOf } from '../program/plan.ts';
import type { Program, ProgramBlock } from '../program/program.ts';
import type { Pos } from '../source/position.ts';

export interface Difference {
  /** In the first program. */
  readonly pos: Pos;
  readonly what: string;
}

/** True when a command uses the variable ITER, which LOOP sets and REPEAT does not. */
export const usesIter = (program: Program): boolean => /\bITER\b/.test(JSON.stringify(planOf(program)));

/**
 * The first difference between the plans of two programs. Undefined when they mean the same. LOOP n TIMES counts as
 * REPEAT n where nothing uses ITER.
 */
export function firstDifference(before: Program, after: Program, start: Pos): Difference | undefined {
  if (!isDeepStrictEqual(planOf(before).defaults, planOf(after).defaults))
    return { pos: start, what: 'the values of DEFAULT differ' };
  const asMeant = usesIter(before) ? (commands: unknown) => commands : withRepeat;
  for (const [index, block] of before.blocks.entries()) {
    const other = after.blocks[index];
    const what = `${block.kind} "${block.name}"`;
    if (!other) return { pos: block.pos, what: `${what} is missing` };
    const heads = [block, other].map((one) => ({ ...planOf(only(one, [])).blocks[0] }));
    if (!isDeepStrictEqual(heads[0], heads[1])) return { pos: block.pos, what: `${what} is another block` };
    const pos = differentCommand(block, other, asMeant);
    if (pos) return { pos, what: `${what} would do something else here` };
  }
  if (after.blocks.length > before.blocks.length)
    return { pos: start, what: `"${after.blocks[before.blocks.length]?.name}" is a new block` };
  return undefined;
}

function differentCommand(
  before: ProgramBlock,
  after: ProgramBlock,
  asMeant: (commands: unknown) => unknown,
): Pos | undefined {
  const meaning = (block: ProgramBlock, instruction: Instruction) =>
    asMeant(planOf(only(block, [instruction])).blocks[0]?.commands);
  const [one, other] = [before, after].map(({ instructions }) => instructions.flatMap(flattened));
  const at = one!.findIndex((instruction, index) => {
    const partner = other![index];
    return !partner || !isDeepStrictEqual(meaning(before, instruction), meaning(after, partner));
  });
  if (at >= 0) return one![at]!.pos;
  return other!.length > one!.length ? (one!.at(-1)?.pos ?? before.pos) : undefined;
}

/** Macros are expanded; what has no effect is left out, as a plan does. */
function flattened(instruction: Instruction): Instruction[] {
  if (instruction.op === 'call') return instruction.body.flatMap(flattened);
  return instruction.op === 'no-effect' || instruction.op === 'step' ? [] : [instruction];
}

function withRepeat(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRepeat);
  if (typeof value !== 'object' || value === null) return value;
  const mapped = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withRepeat(inner)]));
  if (mapped.op !== 'loop' || typeof mapped.times !== 'number') return mapped;
  const { times, ...rest } = mapped;
  return { ...rest, op: 'repeat', count: times };
}

const only = (block: ProgramBlock, instructions: readonly Instruction[]): Program => ({
  file: '',
  scenario: null,
  version: 0,
  dialect: 'flat',
  metadata: {},
  defaults: {},
  uses: { peripherals: [], sensors: [], calibrated: [], unmeasurable: [] },
  blocks: [{ ...block, marks: block.marks, instructions }],
});
