import type { EventBody, Outcome, RunEvent } from '../../scenario/events/event.ts';
import type { GoalResult, Result } from '../../scenario/run/result.ts';
import { posInLine } from '../../scenario/source/position.ts';

const pos = posInLine('mask.oql', 4, 3, 9);

/** Gives bodies what every event has. */
export const eventsOf = (...bodies: (EventBody & { goal?: number })[]): RunEvent[] =>
  bodies.map((body, seq) => ({
    seq,
    t: seq * 100,
    time: new Date(Date.UTC(2025, 0, 15) + seq * 100).toISOString(),
    goal: null,
    pos,
    simulated: false,
    ...body,
  }));

export const goalOf = (
  index: number,
  outcome: Outcome | null,
  more: Partial<GoalResult> = {},
): GoalResult => ({
  index,
  kind: 'GOAL',
  name: `goal ${index}`,
  teardown: false,
  outcome,
  checks: 1,
  failedChecks: outcome === 'failed' ? 1 : 0,
  attempts: 1,
  durationMs: 1234,
  pos,
  ...more,
});

export const resultOf = (more: Partial<Result> = {}): Result => ({
  ok: false,
  outcome: 'failed',
  judged: true,
  simulated: false,
  bench: false,
  source: 'mask.oql',
  startedAt: '2025-01-15T10:00:00.123Z',
  durationMs: 4000,
  passed: 1,
  total: 2,
  goals: [goalOf(0, 'passed'), goalOf(1, 'failed', { message: 'leak' })],
  events: [],
  diagnostics: [],
  variables: {},
  samples: [],
  exports: {},
  ...more,
});
