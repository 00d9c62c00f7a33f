import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Pos } from '../source/position.ts';

/** Worst first: aborted > error > failed > inconclusive > skipped > passed. */
export type Outcome = 'passed' | 'failed' | 'error' | 'inconclusive' | 'skipped' | 'aborted';

/** What drives a device: itself, a twin of it, or the model inside the bridge. */
export type DeviceMode = 'real' | 'bench' | 'mock';

export type Mode = 'dry-run' | 'execute' | 'validate';

/** A variable as scenarios and results see it. */
export interface Variable {
  readonly value: number | string | boolean | object;
  readonly unit?: string;
  readonly simulated?: boolean;
}

/** One fresh reading. */
export interface Reading {
  readonly sensor: string;
  readonly value: number;
  readonly unit: string | null;
  /** Value in the sensor's own unit, before calibration. */
  readonly raw: number | null;
  readonly rawUnit?: string | null;
  /** ISO time of the observation. */
  readonly at: string;
  readonly ageMs: number;
  /** Who measured: the bridge's `source`, `option` for --sensor, `simulation` in dry-run, `timer`, `variable`. */
  readonly source: string;
  readonly simulated: boolean;
  readonly bench?: boolean;
  /** Identity of the calibration that made the value. */
  readonly calibration?: string;
  /** Smallest difference that the sensor can show, in `unit`; for showing the value. Absent when it is not known. */
  readonly resolution?: number;
}

export interface SampleStatistics {
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly avg: number | null;
  readonly last: number | null;
  readonly first: number | null;
  readonly delta: number | null;
  readonly stddev: number | null;
  readonly gaps: number;
}

/** What the text of a goal says about its verdict. Both members are absent where they do not hold. */
export interface GoalMarks {
  /** The text has no check: `passed` says only that the commands succeeded, and is shown as `done`. */
  readonly procedure?: true;
  /** `OPTIONAL`: when the goal is inconclusive, the run is not. */
  readonly optional?: true;
}

export interface PlanEntry extends GoalMarks {
  readonly index: number;
  readonly kind: 'GOAL' | 'CONFIG';
  readonly name: string;
  readonly teardown: boolean;
  /** Not selected for this run (`--goal`): it is skipped. */
  readonly leftOut?: true;
}

export interface SafeStateStep {
  readonly name: string;
  readonly ok: boolean;
  readonly error?: string;
}

/** Members of every event. */
export interface EventCommon {
  /** 0, 1, 2... without gaps. */
  readonly seq: number;
  /** Milliseconds since the start of the run: monotonic, virtual in dry-run. */
  readonly t: number;
  /** ISO time, UTC. */
  readonly time: string;
  /** Index of the block, null outside. */
  readonly goal: number | null;
  readonly pos: Pos | null;
  readonly simulated: boolean;
  readonly bench?: boolean;
}

export type EventBody =
  | {
      readonly type: 'run.start';
      readonly scenario: string | null;
      readonly file: string;
      readonly version: number;
      readonly dialect: 'flat' | 'legacy';
      readonly mode: Mode;
      readonly plan: readonly PlanEntry[];
      /** Devices of the rig as the bridge reports them before anything moves; absent without one. */
      readonly devices?: Readonly<Record<string, DeviceMode>>;
    }
  | { readonly type: 'diagnostic'; readonly diagnostic: Diagnostic }
  | {
      readonly type: 'block.start';
      readonly kind: 'GOAL' | 'CONFIG';
      readonly name: string;
      readonly teardown: boolean;
      /** Over all entries, from 1. */
      readonly attempt: number;
      /** How often order or GOTO has led to the block, from 2; absent for the first entry and in older records. */
      readonly entry?: number;
    }
  | ({
      readonly type: 'block.end';
      readonly kind: 'GOAL' | 'CONFIG';
      readonly name: string;
      readonly teardown: boolean;
      readonly attempt: number;
      readonly outcome: Outcome;
      readonly checks: number;
      readonly failedChecks: number;
      readonly durationMs: number;
      readonly message: string | null;
    } & GoalMarks)
  | { readonly type: 'step.start'; readonly number: string; readonly title: string }
  | { readonly type: 'command.start'; readonly command: string; readonly text: string }
  | {
      readonly type: 'command.end';
      readonly command: string;
      readonly text: string;
      readonly outcome: Outcome;
      readonly durationMs: number;
      readonly code: string | null;
      readonly message: string | null;
    }
  | ({ readonly type: 'reading' } & Reading)
  | {
      readonly type: 'check';
      readonly kind: string;
      /** Name of the check in its block: its text without numbers, so that it stays when limits change. */
      readonly name?: string;
      readonly sensor: string | null;
      readonly op: string;
      readonly low: number | null;
      readonly high: number | null;
      readonly actual: number | string | boolean | null;
      readonly unit: string | null;
      /** Identity of the calibration that made the value. */
      readonly calibration?: string;
      readonly resolution?: number;
      readonly outcome: Outcome;
      readonly message: string;
    }
  | {
      readonly type: 'variable';
      readonly name: string;
      readonly value: Variable['value'];
      readonly unit: string | null;
      /** Of a parameter, reported before the first block: given for the run, or its DEFAULT. */
      readonly source?: 'given' | 'default';
    }
  | {
      readonly type: 'actuate';
      readonly target: string;
      readonly peripheral: string;
      readonly requested: string;
      readonly sent: unknown;
      readonly unit: string | null;
      readonly ok: boolean;
    }
  | {
      readonly type: 'http';
      readonly method: string;
      readonly url: string;
      readonly status: number | null;
      readonly ms: number;
      readonly error: string | null;
    }
  | { readonly type: 'wait'; readonly ms: number; readonly virtual: boolean }
  | {
      readonly type: 'sample';
      readonly sensor: string;
      readonly action: 'start' | 'point' | 'gap' | 'stop';
      readonly value: number | null;
      readonly unit: string | null;
      /** Identity of the calibration that made the values. */
      readonly calibration?: string;
      readonly resolution?: number;
      readonly stats: SampleStatistics | null;
    }
  | {
      readonly type: 'log';
      readonly level: 'info' | 'warning' | 'error' | 'alarm' | 'pass' | 'fail' | 'task';
      readonly message: string;
    }
  | {
      readonly type: 'prompt';
      /** 1, 2, 3... in the run. One prompt has several events: `open`, perhaps `again`, then one of the others. */
      readonly n: number;
      readonly action: 'open' | 'again' | 'answered' | 'timeout' | 'cancelled';
      readonly message: string;
      readonly asks: 'confirmation' | 'choice' | 'value';
      readonly choices: readonly string[];
      /** Null: only goal and run time-out end it. */
      readonly timeoutMs: number | null;
      /** `yes`, `no`, the choice, or what was typed; null before and without an answer. */
      readonly answer: string | null;
    }
  | {
      readonly type: 'lease';
      readonly action: 'acquire' | 'renew' | 'release' | 'lost';
      readonly leaseId: string | null;
      readonly ttlMs: number | null;
    }
  | {
      readonly type: 'safe-state';
      readonly reason: string;
      readonly ok: boolean;
      readonly steps: readonly SafeStateStep[];
    }
  | {
      readonly type: 'run.end';
      readonly outcome: Outcome;
      readonly ok: boolean;
      /** A goal was judged by its checks; false: `passed` says only that the commands succeeded. */
      readonly judged: boolean;
      readonly passed: number;
      readonly total: number;
      readonly durationMs: number;
    };

/** What a run reports, one line of NDJSON each. */
export type RunEvent = EventCommon & EventBody;
export type EventType = EventBody['type'];
