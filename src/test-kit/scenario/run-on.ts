import type { EventType, RunEvent } from '../../scenario/events/event.ts';
import { Interpreter, type InterpreterOptions } from '../../scenario/interpreter.ts';
import type { GoalResult, Result } from '../../scenario/run/result.ts';
import { BridgeTwin, type TwinOptions } from './bridge-twin.ts';

/** Gives a test a bridge and takes it away again. */
export async function withBridge(
  work: (twin: BridgeTwin) => Promise<void>,
  options: TwinOptions = {},
): Promise<void> {
  const twin = await BridgeTwin.start(options);
  try {
    await work(twin);
  } finally {
    await twin.close();
  }
}

/** Runs a scenario for real on a bridge. */
export const runOn = (
  twin: Pick<BridgeTwin, 'url'>,
  source: string,
  options: InterpreterOptions = {},
): Promise<Result> =>
  new Interpreter({
    mode: 'execute',
    ...(options.firmwareUrl === undefined ? { firmwareUrl: twin.url } : {}),
    ...options,
  }).run(source, 'test.oql');

export const dryRun = (source: string, options: InterpreterOptions = {}): Promise<Result> =>
  new Interpreter({ mode: 'dry-run', ...options }).run(source, 'test.oql');

export function eventsOf<T extends EventType>(
  { events }: Pick<Result, 'events'>,
  type: T,
): Extract<RunEvent, { type: T }>[] {
  return events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}

export const codesOf = ({ diagnostics }: Result): string[] =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);

export function goalOf({ goals }: Result, name: string): GoalResult {
  const goal = goals.find((one) => one.name === name);
  if (!goal) throw new Error(`no goal ${name}`);
  return goal;
}

/** Name and outcome of every block. */
export const outcomesOf = ({ goals }: Result): string[] =>
  goals.map(({ name, outcome }) => `${name} ${outcome}`);
