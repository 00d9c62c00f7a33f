import { formatDuration } from '../../scenario/values/duration.ts';
import { SourceTexts } from '../diagnostics/source-texts.ts';
import { usageError } from '../errors/cli-error.ts';
import type { Io } from '../io/io.ts';
import { givenVariables } from '../options/given-variables.ts';
import { libraryRoot } from '../options/library.ts';
import { rigSettings } from '../rig/rig-settings.ts';
import { sourcesOf } from '../source/recording-loader.ts';
import type { ScenarioSource } from '../source/scenario-source.ts';
import { performRun } from './perform-run.ts';
import type { RunOptions } from './run-settings.ts';

export interface CmdOptions extends RunOptions {
  /** Milliseconds to hold the state. */
  readonly for?: number;
  readonly continuous?: boolean;
}

/** As long as a timer can wait, less a margin for the time-outs around it: 24 days. */
const CONTINUOUS_MS = 24 * 24 * 3_600_000;
const MARGIN_MS = 3_600_000;

/** `svcctl cmd`. @returns the exit code */
export async function cmdCommand(line: string, options: CmdOptions, io: Io): Promise<number> {
  const { mode } = options;
  if (/[\r\n]/.test(line)) throw usageError('cmd takes one line: put several lines into a file and run it');
  if (line.trim() === '') throw usageError(`cmd needs a line, for example svcctl cmd 'GET AI01'`);
  if (options.for !== undefined && options.continuous)
    throw usageError('--for and --continuous exclude each other: use one of them');
  const holdMs = options.continuous ? CONTINUOUS_MS : options.for;
  if (holdMs !== undefined && mode !== 'execute')
    throw usageError(`--for and --continuous hold a real state: leave them out with --mode ${mode}`);
  const root = libraryRoot(options.library, io);
  const source = cmdSource(line.trim(), holdMs);
  const texts = new SourceTexts();
  texts.add(CMD_FILE, line.trim());
  const sources = { ...sourcesOf(source, root), texts };
  const held =
    holdMs === undefined ? {} : { timeoutGoal: holdMs + MARGIN_MS, timeoutRun: holdMs + MARGIN_MS };
  if (options.continuous)
    io.stderr.write('svcctl: the state is held until Ctrl-C, then the rig is made safe\n');
  return performRun(
    {
      source,
      sources,
      rig: await rigSettings(io),
      options: { ...held, ...options, var: givenVariables(options, io) },
      relocate: relocateCmd,
      // About the goal around the line: that it checks nothing, and how long it is held.
      hushed: ['SCN244', 'SCN247', ...(options.continuous ? (['SCN273'] as const) : [])],
      // One line has no teardown that could set a peripheral back, and a manually switched one is assumed
      // intentional. A state that is held until Ctrl-C has no bound on purpose.
      warnsOf: ['SCN271', ...(options.continuous ? (['SCN273'] as const) : [])],
    },
    io,
  );
}

/** File name of a line from the command line, in positions. */
const CMD_FILE = '<cmd>';

const HEAD = "GOAL:\n  SET NAME 'cmd'\n";
const INDENT = '  ';
const LINES_BEFORE = HEAD.split('\n').length - 1;

/** One line as a goal of its own; `holdMs` keeps the state it made before the safe state follows. */
function cmdSource(line: string, holdMs: number | undefined): ScenarioSource {
  const hold = holdMs === undefined ? '' : `${INDENT}WAIT ${formatDuration(holdMs).replace(' ', '')}\n`;
  return { name: CMD_FILE, bytes: Buffer.from(`${HEAD}${INDENT}${line}\n${hold}`), directory: undefined };
}

/** Moves every position of the goal made up by {@link cmdSource} into the line as the operator typed it. */
function relocateCmd<T>(value: T): T {
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
