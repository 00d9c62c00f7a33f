import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { MetricRegistry } from '../../lib/http/metrics.ts';
import type { Seconds } from '../../lib/quantity.ts';
import type { GuardReport } from './guard-report.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

/** How long the guard took when it last had to act: from knowing to the confirmation that all valves are off. */
export interface Reaction {
  seconds: Seconds;
  /** ISO time. */
  at: string;
  bench: boolean;
}

const pathIn = (stateDir: string) => join(stateDir, 'guard-reaction.json');

/** Keeps what a report measured; one without a measurement changes nothing. @throws Error when the folder is not writable */
export function writeReaction(stateDir: string, { reaction_ms, at, bench }: GuardReport): void {
  if (reaction_ms === null) return;
  writeStateFile(pathIn(stateDir), { seconds: reaction_ms / 1000, at, bench });
}

/** Reads the last measurement; the file is read again only when it has changed. @returns undefined when there is none */
export function reactionReader(stateDir: string): () => Reaction | undefined {
  let seen = -1;
  let last: Reaction | undefined;
  return () => {
    const modified = modifiedAt(pathIn(stateDir));
    if (modified === seen) return last;
    seen = modified;
    const { seconds, at, bench } = readStateFile(pathIn(stateDir)) ?? {};
    const isWhole = typeof seconds === 'number' && typeof at === 'string';
    last = isWhole ? { seconds, at, bench: bench === true } : undefined;
    return last;
  };
}

/** -1 for a file that is not there or cannot be reached: a failing disk must not end the guard. */
function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return -1;
  }
}

/** Shows the last measurement in `/metrics`; none where there is none. */
export function publishReaction(metrics: MetricRegistry, stateDir: string): void {
  const last = reactionReader(stateDir);
  metrics.beforeRender(() => {
    const reaction = last();
    if (!reaction) return;
    metrics.set('svc_guard_reaction_seconds', reaction.seconds);
    metrics.set('svc_guard_reaction_timestamp_seconds', Date.parse(reaction.at) / 1000);
  });
}
