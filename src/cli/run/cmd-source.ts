import { formatDuration } from '../../scenario/values/duration.ts';
import type { ScenarioSource } from '../source/scenario-source.ts';

/** File name of a line from the command line, in positions. */
export const CMD_FILE = '<cmd>';

const HEAD = "GOAL:\n  SET NAME 'cmd'\n";
const INDENT = '  ';
const LINES_BEFORE = HEAD.split('\n').length - 1;

/** One line as a goal of its own; `holdMs` keeps the state it made before the safe state follows. */
export function cmdSource(line: string, holdMs: number | undefined): ScenarioSource {
  const hold = holdMs === undefined ? '' : `${INDENT}WAIT ${formatDuration(holdMs).replace(' ', '')}\n`;
  return { name: CMD_FILE, bytes: Buffer.from(`${HEAD}${INDENT}${line}\n${hold}`), directory: undefined };
}

/** Moves every position of the goal made up by {@link cmdSource} into the line as the operator typed it. */
export function relocateCmd<T>(value: T): T {
  return moved(value) as T;
}

function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, moved(member)] as const);
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  if (copy.file === CMD_FILE && typeof copy.line === 'number')
    Object.assign(copy, {
      line: row(copy.line),
      endLine: row(copy.endLine),
      col: column(copy.col, copy.line),
      endCol: column(copy.endCol, copy.endLine),
    });
  return copy;
}

const row = (line: unknown): number => Math.max(1, Number(line) - LINES_BEFORE);
const column = (col: unknown, line: unknown): number =>
  Number(line) <= LINES_BEFORE ? 1 : Math.max(1, Number(col) - INDENT.length);
