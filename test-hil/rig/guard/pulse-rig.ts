import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TraceEntry } from '../../../src/bench/trace/trace-log.ts';
import { ownProcesses, type Role } from '../../../src/cli/start/own-processes.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { SafetyRig } from '../safety/safety-rig.ts';

const READ_BACK = 'class/power_supply/svc-supply/online';
const POLL_MS = 20;

/** A whole rig under PM2 whose actuators have their supply through the twin of a watchdog relay. */
export function pulseRig(): Promise<SafetyRig> {
  return SafetyRig.open({
    benchArgs: ['--with', 'relay'],
    env: ({ bench }) => ({ SVC_HOST_ROOT: bench }),
    prepare: ({ config }) => {
      const guard = `guard: { pulse: { led: svc-pulse, hz: 10, read_back: ${READ_BACK} } }\n`;
      writeFileSync(config, readFileSync(config, 'utf8') + guard);
    },
  });
}

/** Wall clock, milliseconds, and whether the relay is closed from then on. */
export interface SupplyMove {
  atMs: number;
  closed: boolean;
}

export function supplyMoves(rig: SafetyRig): SupplyMove[] {
  return entriesOf(rig).flatMap(({ kind, closed, at }) =>
    kind === 'supply' ? [{ atMs: Date.parse(at), closed: closed === true }] : [],
  );
}

export function entriesOf(rig: SafetyRig): TraceEntry[] {
  const text = readFileSync(join(rig.folder.bench, 'trace.ndjson'), 'utf8');
  return text.split('\n').flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as TraceEntry] : []));
}

export const isSupplied = (rig: SafetyRig): boolean => supplyMoves(rig).at(-1)?.closed === true;

export async function untilSupply(rig: SafetyRig, closed: boolean): Promise<void> {
  while (isSupplied(rig) !== closed) await systemClock.sleep(POLL_MS);
}

/** A valve open and the pump on, as soon as the bridge allows it. */
export async function actuate(rig: SafetyRig): Promise<void> {
  for (;;) {
    const answers = [];
    for (const what of ['valve/valve-1?value=true', 'pump?power_pct=40'])
      answers.push(await fetch(`${rig.bridgeUrl}/api/v1/hardware/${what}`, { method: 'POST' }));
    if (answers.every(({ status }) => status === 200)) return;
    await systemClock.sleep(POLL_MS);
  }
}

export function pidsOf(rig: SafetyRig, names: readonly Role[]): number[] {
  return ownProcesses(rig.folder, names).map(({ pid }) => pid);
}
