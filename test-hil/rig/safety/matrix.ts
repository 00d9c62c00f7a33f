import { messageOf } from '../../../src/lib/errors/coded-error.ts';
import { seededRandom } from '../../../src/lib/random/seeded-random.ts';
import { RIG_SERVICES, type RigService } from '../../../src/rig/profiles/rig-services.ts';
import { allCases, type Case, SCENARIOS, type ScenarioName, sampled } from './cases.ts';
import { type CaseResult, performCase } from './perform-case.ts';
import { measureBoundaries, type Reference } from './reference.ts';
import { SafetyRig } from './safety-rig.ts';

export interface MatrixOptions {
  services?: readonly RigService[];
  scenarios?: readonly ScenarioName[];
  /** Of all cases: 0..1. */
  share: number;
  /** At most so many cases. */
  most?: number;
  seed: number;
  /** Rigs at once. */
  rigs: number;
  only?: (one: Case) => boolean;
  progress?: (result: CaseResult, done: number, of: number) => void;
  /** Aborts: the cases under way are finished, the rigs are taken down. */
  signal?: AbortSignal;
}

/** Strikes at every boundary, on several rigs at once. Each has a folder, ports, twins and a PM2 of its own. */
export async function stressSafety(options: MatrixOptions): Promise<CaseResult[]> {
  const { services = RIG_SERVICES, rigs, seed, share, only = () => true, most } = options;
  const scenarios =
    options.scenarios ?? SCENARIOS.filter((name) => name !== 'lung-smoke' || services.includes('svc-lung'));
  const first = await SafetyRig.open({ services });
  const reference: Record<ScenarioName, number[]> = { 'valve-smoke': [], 'lung-smoke': [] };
  try {
    for (const name of scenarios) reference[name] = await measureBoundaries(first, name);
  } catch (cause) {
    await first.close();
    throw cause;
  }
  const counts = Object.fromEntries(scenarios.map((name) => [name, reference[name].length]));
  const cases = sampled(allCases(counts, services).filter(only), share, seededRandom(seed)).slice(0, most);
  const results: CaseResult[] = [];
  const queue = [...cases];
  options.signal?.addEventListener('abort', () => queue.splice(0));
  const tell = (result: CaseResult) => {
    results.push(result);
    options.progress?.(result, results.length, cases.length);
  };
  const hands = Array.from({ length: Math.max(1, rigs) }, (_, i) =>
    workOff(queue, i === 0 ? first : undefined, services, reference, tell),
  );
  await Promise.all(hands);
  return results;
}

/** One rig takes case after case; one that does not come back as it should is replaced. */
async function workOff(
  queue: Case[],
  given: SafetyRig | undefined,
  services: readonly RigService[],
  reference: Reference,
  tell: (result: CaseResult) => void,
): Promise<void> {
  let rig = given;
  try {
    for (let one = queue.shift(); one; one = queue.shift()) {
      rig ??= await SafetyRig.open({ services });
      const result = await performCase(rig, one, reference).catch((cause: unknown) => defect(one, cause));
      tell(result);
      if (result.broken.length === 0) continue;
      await rig.close();
      rig = undefined;
    }
  } finally {
    await rig?.close();
  }
}

const defect = (one: Case, cause: unknown): CaseResult => ({
  case: one,
  safeAfterMs: undefined,
  wasOn: false,
  code: 'none',
  upAfterMs: Number.NaN,
  broken: [`the case itself failed: ${messageOf(cause)}`],
});
