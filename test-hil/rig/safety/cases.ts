import type { Random } from '../../../src/lib/random/seeded-random.ts';
import { RIG_SERVICES, type RigService } from '../../../src/rig/profiles/rig-services.ts';

/** Who is struck: the run, a service, or PM2 itself. */
export const VICTIMS = ['svcctl', ...RIG_SERVICES, 'pm2'] as const;
export type Victim = (typeof VICTIMS)[number];

/** How it ends. The first six are ends of a run; then the devices lose their supply for a moment; of the others a process dies. */
export const ENDS = [
  'pass',
  'fail',
  'error',
  'time-out',
  'abort',
  'double abort',
  'power cut',
  'SIGTERM',
  'SIGKILL',
] as const;
export type End = (typeof ENDS)[number];

/** Shipped scenarios: the pump and three valves; the lung. */
export const SCENARIOS = ['valve-smoke', 'lung-smoke'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

export interface Case {
  scenario: ScenarioName;
  victim: Victim;
  end: End;
  /** The blow falls when this many commands have ended; of a pass, the number of commands. */
  boundary: number;
}

/**
 * Every case of some scenarios on a rig of these services. @param boundaries ends of commands in a run that passes
 */
export function allCases(
  boundaries: Readonly<Partial<Record<ScenarioName, number>>>,
  services: readonly RigService[],
): Case[] {
  return SCENARIOS.flatMap((scenario) => {
    const count = boundaries[scenario];
    if (count === undefined) return [];
    const victims = VICTIMS.filter((one) => one === 'svcctl' || one === 'pm2' || services.includes(one));
    const struck = victims.flatMap((victim) =>
      endsOf(victim, scenario).flatMap((end) =>
        Array.from({ length: count }, (_, i): Case => ({ scenario, victim, end, boundary: i + 1 })),
      ),
    );
    return [{ scenario, victim: 'svcctl', end: 'pass', boundary: count }, ...struck];
  });
}

function endsOf(victim: Victim, scenario: ScenarioName): End[] {
  if (victim !== 'svcctl') return ['SIGTERM', 'SIGKILL'];
  // Nothing that the lung's scenario judges can fail: its checks are about answers of the bridge.
  const fails: End[] = scenario === 'lung-smoke' ? [] : ['fail'];
  return [...fails, 'error', 'time-out', 'abort', 'double abort', 'power cut', 'SIGTERM', 'SIGKILL'];
}

/** A part of the cases, each kind of end at least once, in random order. */
export function sampled(cases: readonly Case[], share: number, random: Random): Case[] {
  const shuffled = cases
    .map((one) => ({ one, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
  if (share >= 1) return shuffled;
  const wanted = Math.ceil(share * cases.length);
  const kinds = new Set<string>();
  const [first, rest] = [[] as Case[], [] as Case[]];
  for (const one of shuffled) {
    const kind = `${one.scenario} ${one.victim} ${one.end}`;
    (kinds.has(kind) ? rest : first).push(one);
    kinds.add(kind);
  }
  return [...first, ...rest].slice(0, Math.max(wanted, first.length));
}
