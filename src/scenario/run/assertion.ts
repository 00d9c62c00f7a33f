import { RunFault } from '../rig/fault.ts';
import type { Command } from './command.ts';
import type { Judgement } from './conclude.ts';

export const plain = (kind: string, holds: boolean, text: string, names: readonly string[]): Judgement => ({
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

export function lastAnswer(what: string, { run }: Command) {
  const answer = run.lastAnswer;
  if (!answer) throw new RunFault('SCN411', `${what}: there is no API answer to check`);
  return answer;
}
