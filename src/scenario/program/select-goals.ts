import type { Program, ProgramBlock } from './program.ts';

/** A goal of an @-form scenario goes by its own name too. */
export const isNamed = (block: Pick<ProgramBlock, 'name'>, wanted: string): boolean =>
  block.name === wanted || block.name.endsWith(`/${wanted}`);

/** The goals of a program, without its CONFIG blocks. */
export const goalsOf = ({ blocks }: Program): ProgramBlock[] => blocks.filter(({ kind }) => kind === 'GOAL');

/**
 * The program with only the named goals: the others stay in their places, empty and marked, so that run, safety check,
 * record and reports all show that they were left out. CONFIG blocks run as always.
 * @param names exact names; undefined selects all
 */
export function selectGoals(program: Program, names: readonly string[] | undefined): Program {
  if (names === undefined) return program;
  const blocks = program.blocks.map((block): ProgramBlock => {
    if (block.kind === 'CONFIG' || names.some((name) => isNamed(block, name))) return block;
    const { index, kind, name, teardown, marks, pos } = block;
    return { index, kind, name, teardown, marks, pos, instructions: [], leftOut: true };
  });
  return { ...program, isSelection: true, blocks };
}
