import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ownProcesses } from '../../../../src/cli/start/own-processes.ts';
import { systemClock } from '../../../../src/lib/clock/clock.ts';
import { eventually } from '../eventually.ts';
import type { SafetyRig } from '../safety-rig.ts';
import { type Blows, blowsText, type Promised, promisedFor, type Target } from './blows.ts';

/** Valve open, pump on and lung breathing for a minute. */
const MOVING = `GOAL:
  SET NAME 'All moves'
  SET LUNG_STEPS 500
  SET LUNG_SPEED 1000 steps/s
  SET LUNG_PAUSE 0 s
  SET valve-nc open
  SET pump 20 %
  SET lung '100 cycles'
  WAIT 60 s
CONFIG teardown:
  SET lung stop
  SET pump 0 %
  SET valve-nc close
`;
const ON_LIMIT_MS = 30_000;
/** What is off too late is reported with its time, not as never. */
const PATIENCE_MS = 5000;

export interface BlowsResult {
  blows: Blows;
  promised: Promised;
  /** From the blow until what was promised was off for good; undefined: never, or nothing was promised. */
  offAfterMs: number | undefined;
  /** Broken promises; empty when all is well. */
  broken: string[];
}

/** Strikes a rig on which everything moves. The rig is good for nothing afterwards. */
export async function performBlows(rig: SafetyRig, blows: Blows): Promise<BlowsResult> {
  const { trace } = rig;
  const broken: string[] = [];
  const promised = promisedFor(blows);
  await rig.untilPartner();
  const file = join(rig.folder.path, 'moving.oql');
  writeFileSync(file, MOVING);
  const run = rig.svcctl('run', file, '--mode', 'execute', '--firmware-url', rig.bridgeUrl);
  const allOn = () => {
    trace.advance();
    return ['coil', 'pump', 'lung'].every((name) => trace.on.some((one) => one.startsWith(name)));
  };
  if (!(await eventually(allOn, ON_LIMIT_MS)))
    throw new Error(`nothing moves: ${run.text()}${rig.lastWords()}`);
  const targets = Object.keys(blows) as Target[];
  const pids = targets.map((target) => [target, pidsOf(rig, target, run.pid)] as const);
  const struckAtMs = systemClock.now();
  for (const [target, found] of pids) for (const pid of found) process.kill(pid, blows[target]);
  const off = (scope: string) => async (limitMs: number) => {
    const isOff = () => {
      trace.advance();
      return !trace.on.some((name) => name.startsWith(scope));
    };
    await eventually(isOff, limitMs + PATIENCE_MS);
  };
  let offAfterMs: number | undefined;
  if (promised.scope !== undefined) {
    await off(promised.scope)(promised.isHardwareOnly ? 0 : promised.limitMs);
    const isAll = promised.scope === '';
    offAfterMs = isAll ? trace.offForGoodMs(struckAtMs) : trace.firstOffMs(struckAtMs, promised.scope);
    const isKept = offAfterMs !== undefined && offAfterMs <= promised.limitMs;
    if (!isKept && !promised.isHardwareOnly)
      broken.push(`${promised.scope || 'outputs'} on for ${offAfterMs ?? 'ever'} ms: ${trace.on.join(', ')}`);
  }
  // A run that goes on is ended as a person ends it.
  if (!promised.isHardwareOnly && promised.scope !== '') {
    const endedAtMs = systemClock.now();
    run.child.kill('SIGINT');
    await off('')(LIMIT_OF_END_MS);
    const allMs = trace.offForGoodMs(endedAtMs);
    if (allMs === undefined || allMs > LIMIT_OF_END_MS)
      broken.push(`after the end of the run outputs on for ${allMs ?? 'ever'} ms: ${trace.on.join(', ')}`);
  }
  if (broken.length > 0) broken.push(rig.lastWords());
  return { blows, promised, offAfterMs, broken };
}

/** Teardown of a run whose devices may be silent, and the safe state. */
const LIMIT_OF_END_MS = 10_000;

function pidsOf(rig: SafetyRig, target: Target, runPid: number): number[] {
  if (target === 'svcctl') return [runPid];
  const found = ownProcesses(rig.folder, [target]).map(({ pid }) => pid);
  if (found.length !== 1) throw new Error(`${found.length} processes of ${target}`);
  return found;
}

/** `   812 ms  svc-bridge killed, svc-guard frozen` */
export function lineOf({ blows, promised, offAfterMs, broken }: BlowsResult): string {
  const time = offAfterMs === undefined ? '' : `${Math.round(offAfterMs)} ms`;
  const shown = promised.isHardwareOnly
    ? `hardware only${time === '' ? '' : ` (${time})`}`
    : promised.scope === undefined
      ? 'goes on'
      : time;
  return [`${shown.padStart(24)}  ${blowsText(blows)}`, ...broken.map((text) => `    BROKEN ${text}`)].join(
    '\n',
  );
}
