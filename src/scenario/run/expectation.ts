import type { CheckTexts } from '../program/instruction.ts';
import type { Identity } from '../rig/rig.ts';
import type { Command, Flow } from './command.ts';
import { conclude } from './conclude.ts';

export interface Found {
  readonly holds: boolean;
  readonly actual: string | null;
}

export async function expectation(
  kind: string,
  wanted: string,
  path: string,
  find: (identity: Identity) => Found,
  texts: CheckTexts,
  command: Command,
): Promise<Flow> {
  const { run } = command;
  command.about(path);
  const common = { kind, sensor: null, op: '=', low: null, high: null, unit: null, names: [path] };
  const identity = await command.timed((signal) => run.rig.identify(signal));
  const { holds, actual } = find(identity);
  const text = holds ? `${wanted} is there` : `expected ${wanted}, found ${actual ?? 'nothing'}`;
  return conclude({ ...common, holds, actual, text }, texts, command);
}

export const same = (a: string | null, b: string): boolean =>
  a !== null && a.toLowerCase() === b.toLowerCase();

export const fill = (text: string, { run }: Command): string =>
  text.includes('$') ? run.strictText(text) : text;
