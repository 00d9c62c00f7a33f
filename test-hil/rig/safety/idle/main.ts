import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ownProcesses, type Role } from '../../../../src/cli/start/own-processes.ts';
import { systemClock } from '../../../../src/lib/clock/clock.ts';
import { messageOf } from '../../../../src/lib/errors/coded-error.ts';
import { RIG_SERVICES } from '../../../../src/rig/profiles/rig-services.ts';
import { SafetyRig } from '../safety-rig.ts';

// npm run bench:idle [-- --seconds N]: processor time of each service of a rig at rest, in percent of one core
const SETTLE_MS = 15_000;
const ROLES: readonly Role[] = [...RIG_SERVICES, 'svc-guard-partner', 'pm2'];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
  const seconds = Number(values.seconds);
  if (!(seconds >= 1)) throw new RangeError(`--seconds ${values.seconds}: give 1 or more`);
  const rig = await SafetyRig.open();
  try {
    await rig.untilPartner();
    await systemClock.sleep(SETTLE_MS);
    const processes = ownProcesses(rig.folder, ROLES);
    const before = processes.map(({ pid }) => processorMs(pid));
    const startedAt = systemClock.monotonic();
    await systemClock.sleep(seconds * 1000);
    const tookMs = systemClock.monotonic() - startedAt;
    let sum = 0;
    for (const [index, { pid, role }] of processes.entries()) {
      const percent = ((processorMs(pid) - (before[index] ?? 0)) / tookMs) * 100;
      if (role !== 'pm2') sum += percent;
      say(`${role.padEnd(18)} ${percent.toFixed(2).padStart(6)} %`);
    }
    say(
      `${'services'.padEnd(18)} ${sum.toFixed(2).padStart(6)} % of one core, over ${(tookMs / 1000).toFixed(0)} s; PM2 is not counted`,
    );
  } finally {
    await rig.close();
  }
}

/** User and system time of all threads, milliseconds. */
function processorMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the name, which may have anything in it: state is the third field.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

main().catch((fault: unknown) => {
  process.stderr.write(`bench:idle: ${messageOf(fault)}\n`);
  process.exitCode = 1;
});
