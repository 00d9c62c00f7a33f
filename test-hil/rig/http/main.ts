import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { HeartbeatMonitor } from '../../../src/lib/liveness/heartbeat-monitor.ts';
import { liveAddress, rigKey } from '../../../src/lib/liveness/live-address.ts';
import { SafetyRig } from '../safety/safety-rig.ts';
import { COLLECTABLE, collectGarbage, sampleProcess } from '../safety/soak/process-samples.ts';
import { ATTACKS, type Attack } from './attacks.ts';
import { startAttack } from './start-attack.ts';

/** What still grows in the last one grows without end. */
const ROUNDS = 3;
const LOOP_S = 0.5;
/** Connections that were kept are closed by then. */
const QUIET_MS = 8000;
const GROWTH = 1.1;
const MORE_BYTES = 8 * 2 ** 20;
const MORE_DESCRIPTORS = 10;
/** Without a heartbeat for so long the guard ends a service. */
const GUARD_LIMIT_MS = 2000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Moves, reads and judges for about so many seconds. */
const scenario = (seconds: number): string => `GOAL:
  SET NAME 'Measures under attack'
  SET valve-nc open
  REPEAT ${Math.min(1000, Math.ceil(seconds / LOOP_S))}:
    ASSERT_VALVE valve-nc on
    SET pump 20 %
    GET AI01
    WAIT 100ms
    SET pump 0 %
    WAIT 100ms
  REPEAT STOP
  SET valve-nc close
`;

interface Row {
  attack: string;
  /** Exit code of the run; 0: passed. */
  code: number | null;
  output: string;
  /** Longest time without a heartbeat of the bridge, milliseconds. */
  silentMs: number;
}

async function attacked(rig: SafetyRig, attack: Attack, seconds: number): Promise<Row> {
  let silentMs = 0;
  const watch = new HeartbeatMonitor({
    address: liveAddress('svc-bridge', rigKey(rig.folder.state)),
    clock: systemClock,
    name: 'stress:http',
    onHello: () => {},
    onLine: () => {},
    onGone: () => {
      silentMs = Number.POSITIVE_INFINITY;
    },
    onTick: () => {
      silentMs = Math.max(silentMs, watch.silentMs);
    },
  });
  watch.start();
  const file = join(rig.folder.path, 'attacked.oql');
  writeFileSync(file, scenario(seconds));
  const run = rig.svcctl('run', file, '--mode', 'execute', '--firmware-url', rig.bridgeUrl);
  const attacker = startAttack(rig.bridgeUrl, { seconds, name: attack.name });
  await new Promise((resolve) => attacker.once('close', resolve));
  const { code, stdout, stderr } = await run.ended;
  watch.stop();
  return { attack: attack.name, code, output: stdout + stderr, silentMs };
}

/** `npm run stress:http [-- --minutes 10]`: every attack beside an execute run, on a rig under PM2. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new RangeError('--minutes is a number above 0');
  const seconds = Math.max(1, Math.round((minutes * 60) / (ATTACKS.length * ROUNDS)));
  const rig = await SafetyRig.open({ env: { NODE_OPTIONS: COLLECTABLE } });
  const faults: string[] = [];
  try {
    const pids = new Map(rig.services.map((name) => [name, rig.pidOf(name)]));
    const memory = new Map<string, { memoryBytes: number; descriptors: number }[]>();
    say(`${ATTACKS.length} attacks, ${seconds} s each, ${ROUNDS} rounds, each beside an execute run`);
    say('attack'.padEnd(48) + 'run'.padStart(8) + 'silence, ms'.padStart(14));
    for (let round = 1; round <= ROUNDS; round++) {
      for (const attack of ATTACKS) {
        const { code, output, silentMs } = await attacked(rig, attack, seconds);
        const verdict = code === 0 ? 'passed' : `exit ${code}`;
        say(attack.name.padEnd(48) + verdict.padStart(8) + silentMs.toFixed(0).padStart(14));
        if (code !== 0) faults.push(`${attack.name}: the run ended with ${code}: ${output.trim()}`);
        if (silentMs >= GUARD_LIMIT_MS) faults.push(`${attack.name}: no heartbeat for ${silentMs} ms`);
      }
      await systemClock.sleep(QUIET_MS);
      await collectGarbage(pids.values());
      for (const [name, pid] of pids) {
        const sample = sampleProcess(pid);
        if (!sample || rig.pidOf(name) !== pid) faults.push(`${name} (pid ${pid}) was started again`);
        else memory.set(name, [...(memory.get(name) ?? []), sample]);
      }
    }
    say('');
    say('after each round'.padEnd(20) + 'memory, MiB'.padStart(20) + 'descriptors'.padStart(16));
    for (const [name, samples] of memory) {
      const [before, last] = samples.slice(-2);
      if (!before || !last) continue;
      const mib = samples.map(({ memoryBytes }) => (memoryBytes / 2 ** 20).toFixed(0)).join(' ');
      const files = samples.map(({ descriptors }) => descriptors).join(' ');
      say(name.padEnd(20) + mib.padStart(20) + files.padStart(16));
      if (last.memoryBytes > before.memoryBytes * GROWTH + MORE_BYTES)
        faults.push(`${name}: its memory grows: ${mib} MiB`);
      if (last.descriptors > before.descriptors + MORE_DESCRIPTORS)
        faults.push(`${name}: its descriptors grow: ${files}`);
    }
    const why = await rig.whyNotUp();
    if (why !== undefined) faults.push(`the rig is not up afterwards: ${why}`);
  } finally {
    await rig.close();
  }
  say('');
  for (const fault of faults) say(`FAULT ${fault}`);
  say(faults.length === 0 ? 'no faults' : `${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

main().catch((fault: unknown) => {
  process.stderr.write(`stress:http: ${fault instanceof Error ? fault.stack : String(fault)}\n`);
  process.exitCode = fault instanceof RangeError ? 2 : 1;
});
