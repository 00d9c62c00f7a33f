import { cpus, loadavg } from 'node:os';
import { messageOf } from '../../../src/lib/errors/coded-error.ts';
import { seededRandom } from '../../../src/lib/random/seeded-random.ts';
import { RIG_SERVICES, type RigService } from '../../../src/rig/profiles/rig-services.ts';
import { allCases, type Case, SCENARIOS, type ScenarioName, sampled } from './cases.ts';
import { eventually } from './eventually.ts';
import { limitMs } from './limits.ts';
import { type CaseResult, PATIENCE_MS, performCase } from './perform-case.ts';
import { ProcessorWait } from './processor-wait.ts';
import { measureBoundaries, type Reference } from './reference.ts';
import { SafetyRig } from './safety-rig.ts';

/** Of a case, a rig or the reference, while the machine holds the rig up. */
const ATTEMPTS = 4;

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
  const { first, reference } = await withReference(services, scenarios);
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

/** A rig, and how its runs go that pass. One that the machine held up is replaced and asked again. */
async function withReference(services: readonly RigService[], scenarios: readonly ScenarioName[]) {
  for (let attempt = 1; ; attempt++) {
    const first = await openRig(services);
    const wait = new ProcessorWait(first.computing());
    const reference: Record<ScenarioName, number[]> = { 'valve-smoke': [], 'lung-smoke': [] };
    try {
      for (const name of scenarios) reference[name] = await measureBoundaries(first, name);
      return { first, reference };
    } catch (cause) {
      const heldUp = wait.heldUp();
      await first.close();
      if (attempt === ATTEMPTS || !heldUp) throw cause;
    }
  }
}

/** More wants to run than twice the processors. */
const isBusy = (): boolean => (loadavg()[0] ?? 0) > 2 * cpus().length;

async function openRig(services: readonly RigService[]): Promise<SafetyRig> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await SafetyRig.open({ services });
    } catch (cause) {
      if (attempt === ATTEMPTS || !isBusy()) throw cause;
    }
  }
}

/**
 * One rig takes case after case; one that does not come back as it should is replaced. A case in which the machine held
 * the rig up is performed again: the rig may have made itself safe before the blow fell. What was on for too long counts
 * at once.
 */
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
      for (let attempt = 1; ; attempt++) {
        rig ??= await openRig(services);
        const wait = new ProcessorWait(rig.computing());
        const { trace } = rig;
        const result = await performCase(rig, one, reference).catch(async (cause: unknown) => {
          await eventually(() => {
            trace.advance();
            return trace.on.length === 0;
          }, limitMs(one) + PATIENCE_MS);
          return defect(one, cause, trace.on);
        });
        if (result.broken.length === 0) {
          tell(result);
          break;
        }
        const heldUp = wait.heldUp();
        await rig.close();
        rig = undefined;
        if (heldUp) {
          const percent = Math.round(100 * heldUp.share);
          result.broken.unshift(`${heldUp.name} waited ${percent} % of the time for a processor`);
        }
        if (heldUp && !result.isUnsafe && attempt < ATTEMPTS) {
          process.stdout.write(`repeated: ${JSON.stringify(one)}: ${result.broken.join('; ')}\n`);
          continue;
        }
        tell(result);
        break;
      }
    }
  } finally {
    await rig?.close();
  }
}

/** @param on what is on when all should have been off for long */
const defect = (one: Case, cause: unknown, on: readonly string[]): CaseResult => ({
  case: one,
  safeAfterMs: undefined,
  wasOn: false,
  code: 'none',
  upAfterMs: Number.NaN,
  isUnsafe: on.length > 0,
  broken: [`the case itself failed: ${messageOf(cause)}`, ...on.map((one) => `still on: ${one}`)],
});
