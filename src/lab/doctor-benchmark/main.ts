import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchDeviceName } from '../../bench/bench.ts';
import { detect } from '../../diagnostics/detect.ts';
import { collectFacts } from '../../diagnostics/doctor/collect-facts.ts';
import { diagnose, folds } from '../../diagnostics/doctor/doctor.ts';
import type { Issue } from '../../diagnostics/doctor/finding.ts';
import { HostRoot } from '../../diagnostics/host/host-root.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { CAUSES, issuesOn } from '../../test-kit/diagnostics/machine.ts';
import { openBenchRig } from '../../test-kit/services/rig.ts';

// npm run bench:doctor [-- PAIRS [SEED]]: how often the first finding of the doctor is the cause, and whether it finds anything
// where nothing is wrong.

/** True of any machine whose Node is old, and of every bench; neither is a mistake. */
const TRUE_ANYWHERE = new Set([
  'node_end_of_life',
  'bench_in_use',
  'owner_scan_incomplete',
  'calibration_confirmation_required',
]);

interface Score {
  name: string;
  /** The first finding, without its effects, is a cause. */
  first: number;
  /** Every cause is among the findings. */
  named: number;
  cases: number;
  misses: string[];
}

const [pairs = 200, seed = 1] = process.argv.slice(2).map(Number);
const codes = Object.keys(CAUSES);

/** Findings of severity error or warn come before notes, as the reader sees them. */
const headsOf = (issues: readonly Issue[]): string[] => folds(issues).map(({ head }) => head.code);

async function scored(
  name: string,
  cases: readonly { causes: string[]; issues: () => Promise<Issue[]> }[],
): Promise<Score> {
  const score: Score = { name, first: 0, named: 0, cases: cases.length, misses: [] };
  for (const { causes, issues } of cases) {
    const found = await issues();
    const [first = 'nothing'] = headsOf(found).filter(
      (code) => !TRUE_ANYWHERE.has(code) || causes.includes(code),
    );
    if (causes.includes(first)) score.first++;
    else score.misses.push(`${causes.join(' + ')}: first ${first}`);
    if (causes.every((cause) => found.some(({ code }) => code === cause))) score.named++;
  }
  return score;
}

const changeOf = (code: string) => CAUSES[code]?.[0] ?? (() => {});

const single = codes.map((code) => ({ causes: [code], issues: () => issuesOn(changeOf(code)) }));

const random = seededRandom(seed);
const draw = () => codes[Math.floor(random() * codes.length)] ?? '';
const pair = Array.from({ length: pairs }, () => {
  const one = draw();
  let other = draw();
  while (other === one) other = draw();
  const issues = () =>
    issuesOn((machine) => {
      changeOf(one)(machine);
      changeOf(other)(machine);
    });
  return { causes: [one, other], issues };
});

/** Knobs of the twins under a running bridge, and what the first finding has to be. */
const KNOBS: readonly (readonly [device: BenchDeviceName, knobs: Record<string, unknown>, cause: string])[] =
  [
    ['modbus-io', { baud: 9600 }, 'modbus_adapter_only'],
    ['modbus-io', { device_id: 9 }, 'modbus_adapter_only'],
    ['modbus-io', { parity: 'odd' }, 'modbus_adapter_only'],
    ['modbus-io', { unplugged: true }, 'modbus_not_detected'],
    ['pump', { unplugged: true }, 'adapter_pump-motor_health_not_ok'],
    ['pump', { silent: true }, 'adapter_pump-motor_health_not_ok'],
    ['ads1115', { unplugged: true }, 'adapter_sensor-adc_health_not_ok'],
  ];

/** Findings of this machine with a bridge at `url`. */
async function findings(url: string, env: Record<string, string>): Promise<Issue[]> {
  const host = new HostRoot();
  const clock = systemClock;
  const signals = await detect({
    host,
    env,
    cwd: tmpdir(),
    firmware: { url, clock },
    clock,
    probeBudgetMs: 1000,
  });
  const facts = await collectFacts({ host, env, clock, profile: undefined });
  return [...diagnose({ ...signals, facts }).issues];
}

async function onBench(): Promise<{ healthy: string[]; score: Score }> {
  const rig = await openBenchRig();
  try {
    const { writeFileSync } = await import('node:fs');
    const config = join(rig.folder, 'svc.yaml');
    writeFileSync(config, rig.yaml);
    const bridge = await rig.start();
    const env = { SVC_CONFIG_PATH: config, SVC_STATE_DIR: rig.folder };
    // The guard is a process of its own, which this bench does without.
    const issues = async () =>
      (await findings(bridge.url, env)).filter(({ code }) => code !== 'guard_absent');
    const until = async (isOk: boolean) => {
      for (;;) {
        const { body } = await bridge.call('GET /api/v1/hardware/health');
        if ((body.ok === true) === isOk) return;
        await systemClock.sleep(200);
      }
    };
    await until(true);
    const healthy = headsOf(await issues()).filter((code) => !TRUE_ANYWHERE.has(code));
    const cases = KNOBS.map(([device, knobs, cause]) => ({
      causes: [cause],
      issues: async () => {
        await rig.bench.setKnobs(device, knobs);
        await until(false);
        const found = await issues();
        await rig.bench.reset();
        await until(true);
        return found;
      },
    }));
    return { healthy, score: await scored('knobs of the twins', cases) };
  } finally {
    await rig.close();
  }
}

async function withoutRig(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'no-rig-'));
  try {
    const found = headsOf(await findings('http://127.0.0.1:9', { SVC_STATE_DIR: folder }));
    // What such a machine really lacks.
    return found.filter((code) => !TRUE_ANYWHERE.has(code) && code !== 'config_unavailable');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const bench = await onBench();
const scores = [
  await scored('single faults', single),
  await scored(`pairs, seed ${seed}`, pair),
  bench.score,
];
const share = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`;
for (const { name, first, named, cases, misses } of scores) {
  process.stdout.write(
    `${name.padEnd(22)} ${cases} cases: cause is the first finding ${share(first, cases)}, every cause named ${share(named, cases)}\n`,
  );
  for (const miss of misses.slice(0, 10)) process.stdout.write(`  missed: ${miss}\n`);
}
const falseFindings = {
  'healthy bench': bench.healthy,
  'healthy machine of fixtures': headsOf(await issuesOn()),
  'no rig': await withoutRig(),
};
for (const [name, found] of Object.entries(falseFindings))
  process.stdout.write(`${name.padEnd(28)} false findings: ${found.join(', ') || 'none'}\n`);
