import * as assert from 'uvu/assert';
import { VirtualClock } from '../../lib/clock/virtual-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { isBroken } from '../../rig/interlocks/interlock.ts';
import { MemoryBridge } from '../../test-kit/scenario/memory-bridge.ts';
import { RandomScenario } from '../../test-kit/scenario/random-scenario.ts';
import { suite } from '../../test-kit/suite.ts';
import { Interpreter } from '../interpreter.ts';
import { caseRig } from './cases/case-rig.ts';
import { loadChecked } from './load-checked.ts';
import type { SafetyReport } from './safety-check.ts';

const test = suite('soundness of the safety check');

/** SEED=7 SCENARIOS=20000 looks further. */
const FIRST_SEED = Number(process.env.SEED ?? 1);
const SCENARIOS = Number(process.env.SCENARIOS ?? 2000);

const RIG = caseRig(
  [
    '--shipped',
    '--interlock valve-2 on needs lung off',
    '--peripheral lamp',
    '--limit pumpMaxPct=50',
    '--limit lungMaxSteps=400',
    '--limit lungMaxCycles=10',
    '--limit runMaxS=20000',
  ],
  'soundness',
);

interface Tried {
  readonly source: string;
  readonly report: SafetyReport;
  /** What really happened and must not: code of the finding that was due, and what it was. */
  readonly violations: readonly { readonly code: string; readonly about: string }[];
}

/** Runs a scenario by chance on a bridge with faults by chance. Undefined for a text that the reader refuses. */
async function attempt(seed: number): Promise<Tried | undefined> {
  const random = seededRandom(seed);
  const source = new RandomScenario(random).text();
  const timeouts = random() < 0.2 ? { goalMs: 20_000 + random() * 200_000 } : {};
  const rig = { ...RIG, timeouts };
  const { safety } = loadChecked(source, 'random.oql', { rigSeverity: 'error', safety: rig });
  if (!safety) return undefined;
  const clock = new VirtualClock(0);
  const faulty = random() < 0.7;
  const faults = {
    actuation: faulty ? 0.08 : 0,
    reading: faulty ? 0.25 : 0.02,
    leaseLoss: faulty ? 0.02 : 0,
  };
  const bridge = new MemoryBridge(clock, random, faults);
  const abort = new AbortController();
  const abortAfter = random() < 0.3 ? 5 + Math.floor(random() * 30) : Number.POSITIVE_INFINITY;
  let calls = 0;
  const result = await new Interpreter({
    mode: 'execute',
    registry: RIG.registry,
    clock,
    timeouts,
    signal: abort.signal,
    stopOnFail: random() < 0.2,
    fetch: (url, init) => {
      if (++calls === abortAfter) abort.abort();
      return bridge.fetch(url, init);
    },
  }).run(source, 'random.oql');
  // Without a lease nothing can be set back.
  const cutTeardown = result.events.some((event) => event.type === 'lease' && event.action === 'lost');
  return { source, report: safety, violations: violationsOf(bridge, result.durationMs, safety, cutTeardown) };
}

function violationsOf(
  bridge: MemoryBridge,
  durationMs: number,
  { worstCaseS, findings }: SafetyReport,
  cutTeardown: boolean,
): Tried['violations'] {
  const violations: { code: string; about: string }[] = [];
  for (const { id, value, states } of bridge.acted) {
    for (const interlock of RIG.interlocks) {
      const touches = interlock.while.has(id) || interlock.states.has(id);
      if (touches && isBroken(interlock, (one) => states.get(one) ?? false))
        violations.push({ code: 'SCN276', about: interlock.id });
    }
    if (id === 'pump-main' && value > RIG.limits.pumpMaxPct)
      violations.push({ code: 'SCN274', about: 'power' });
    if (id === 'lung-main' && value > RIG.limits.lungMaxCycles)
      violations.push({ code: 'SCN274', about: 'cycles' });
  }
  const isExcused = cutTeardown || bridge.failedToSetBack.has('lamp');
  if (bridge.isOn('lamp') && !isExcused) violations.push({ code: 'SCN271', about: 'lamp' });
  if (worstCaseS === undefined && !findings.some(({ code }) => code === 'SCN272'))
    violations.push({ code: 'time', about: 'no bound, and nothing said' });
  const preflightMs = 10_000;
  if (worstCaseS !== undefined && durationMs > worstCaseS * 1000 + preflightMs)
    violations.push({ code: 'time', about: `${durationMs} ms, at most ${worstCaseS} s` });
  return violations;
}

/** A value without an upper bound is reported instead of the value that it happened to have. */
const answers = (due: string, found: string): boolean =>
  found === due || (due === 'SCN274' && found === 'SCN275');

test(
  `whatever really breaks a rule in ${SCENARIOS} runs by chance was found before`,
  async () => {
    const counts = { run: 0, safe: 0, violated: 0 };
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      const tried = await attempt(seed);
      if (!tried) continue;
      const { source, report, violations } = tried;
      counts.run++;
      if (report.findings.length === 0) counts.safe++;
      if (violations.length > 0) counts.violated++;
      for (const { code, about } of violations) {
        const isFound = report.findings.some(
          (one) => answers(code, one.code) && (code !== 'SCN276' || one.message.includes(`"${about}"`)),
        );
        assert.ok(isFound, `seed ${seed}: ${code} ${about} was not found in\n${source}`);
      }
    }
    // The test is worth something only when much goes wrong, and when not all is refused.
    const told = JSON.stringify(counts);
    assert.ok(counts.run >= SCENARIOS / 2, told);
    assert.ok(counts.violated >= counts.run / 20, told);
    assert.ok(counts.safe >= counts.run / 20, told);
    if (process.env.TELL) process.stderr.write(`${told}\n`);
  },
  { timeoutMs: 240_000 },
);

test.run();
