import { canonicalUnit } from '../../rig/units/units.ts';
import type { Instruction } from './instruction.ts';
import type { Program, ProgramDefault } from './program.ts';

/** Ordered blocks and commands, names resolved, quantities normalised, positions and comments removed. */
export interface Plan {
  /** Of DEFAULT; left out when there are none. */
  readonly defaults?: Readonly<Record<string, ProgramDefault>>;
  readonly blocks: readonly PlanBlock[];
}

export interface PlanBlock {
  readonly kind: 'GOAL' | 'CONFIG';
  readonly name: string;
  readonly teardown: boolean;
  readonly optional?: true;
  /** Not selected by `--goal`: it has no commands. */
  readonly leftOut?: true;
  readonly commands: readonly PlanCommand[];
}

export interface PlanCommand {
  readonly op: string;
  readonly [detail: string]: unknown;
}

/** Two scenarios with equal plans mean the same. */
export function planOf(program: Program): Plan {
  const names = Object.keys(program.defaults).sort();
  return {
    ...(names.length === 0
      ? {}
      : {
          defaults: Object.fromEntries(
            names.map((name) => [name, normalise(program.defaults[name]) as ProgramDefault]),
          ),
        }),
    blocks: program.blocks.map(({ kind, name, teardown, leftOut, marks, instructions }) => ({
      kind,
      name,
      teardown,
      ...(marks.optional ? { optional: true } : {}),
      ...(leftOut ? { leftOut } : {}),
      commands: instructions.flatMap(commandsOf),
    })),
  };
}

/** Where it stands, how it was written and by which macro does not belong to the meaning. */
const WRITING = new Set(['command', 'text', 'pos', 'stack', 'form', 'target']);

function commandsOf(instruction: Instruction): PlanCommand[] {
  if (instruction.op === 'call') return instruction.body.flatMap(commandsOf);
  if (instruction.op === 'no-effect' || instruction.op === 'step') return [];
  const command: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(instruction)) {
    if (WRITING.has(key) && !(key === 'target' && instruction.op === 'unknown-target')) continue;
    command[key] = isBody(value) ? value.flatMap(commandsOf) : normalise(value);
  }
  return [command as PlanCommand];
}

const isBody = (value: unknown): value is Instruction[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  typeof value[0] === 'object' &&
  value[0] !== null &&
  'pos' in value[0];

function normalise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalise);
  if (typeof value !== 'object' || value === null) return value;
  const out: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    if (key === 'unit' && typeof inner === 'string') out.unit = canonicalUnit(inner);
    // A sensor is its id, however it is called.
    else if (key === 'name' && 'id' in value) continue;
    else out[key] = normalise(inner);
  }
  return out;
}
