import type { Issue, Severity } from './finding.ts';

const WEIGHT: Readonly<Record<Severity, number>> = { error: 2, warn: 1, info: 0 };

/** A finding with those that it explains. */
export interface Fold {
  head: Issue;
  effects: readonly Issue[];
  /** The heaviest of them. */
  severity: Severity;
}

/** The open findings, each once, with what it explains below it. */
export function folds(issues: readonly Issue[]): Fold[] {
  const open = issues.filter(({ repaired }) => !repaired);
  const heads = open.filter(({ caused_by }) => !open.some(({ code }) => code === caused_by));
  return heads.map((head, index) => {
    const isFirst = heads.findIndex(({ code }) => code === head.code) === index;
    const effects = isFirst ? open.filter(({ caused_by }) => caused_by === head.code) : [];
    const severity = [head, ...effects]
      .map((one) => one.severity)
      .reduce((one, other) => (WEIGHT[other] > WEIGHT[one] ? other : one));
    return { head, effects, severity };
  });
}
