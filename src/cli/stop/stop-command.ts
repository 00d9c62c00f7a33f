import { hostname, userInfo } from 'node:os';
import process from 'node:process';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { isStopped } from '../../rig/guard/guard-report.ts';
import { newStopId } from '../../rig/safe-state/operator-stop.ts';
import type { StepReport } from '../../rig/safe-state/report.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { table } from '../io/table.ts';
import { bridgeUrl, meantRig, type RigEnvironment, settingsOf } from './rig-environment.ts';
import { type Stopped, type StopReport, stopRig } from './stop-rig.ts';

export interface StopOptions {
  firmwareUrl?: string;
  /** The stop that was seen, by its id; `true` for the one in force. */
  clear?: string | true;
  json?: true;
}

/**
 * `svcctl stop`: the safe state, now, until it is cleared with `--clear` (SVC-049).
 * @returns 0 when the rig is safe and stays so, 3 when it is not or nobody knows
 */
export async function stopCommand(options: StopOptions, io: Io): Promise<number> {
  if (options.clear) return clearCommand({ ...options, clear: options.clear }, io);
  const { env, notes, isSeveral } = meantRig(io);
  for (const note of notes) io.stderr.write(`svcctl: ${note}\n`);
  const target = { url: urlOf(options, env), own: ownUrl(env, io), isSeveral };
  const stopped = await stopRig(target, env, { by: whoAsks(), id: newStopId() }, io);
  const isDone = 'report' in stopped && isStopped(stopped.report);
  if (options.json) io.stdout.write(`${JSON.stringify(document(stopped))}\n`);
  else io.stdout.write(`${(await lines(stopped)).join('\n')}\n`);
  return isDone ? EXIT.ok : EXIT.error;
}

/** A variable with a mistake in it is no reason not to stop. @throws CliError for a mistake in the option */
function urlOf({ firmwareUrl }: StopOptions, env: RigEnvironment): string {
  try {
    return bridgeUrl(firmwareUrl, env);
  } catch (mistake) {
    if (firmwareUrl !== undefined) throw mistake;
    return bridgeUrl(undefined, { ...env, SVC_FIRMWARE_URL: '', FIRMWARE_URL: '' });
  }
}

/**
 * The bridge of the rig whose guard would be asked: as `rig.env` has it, unless the caller's state folder is another
 * rig's.
 */
function ownUrl(env: RigEnvironment, io: Io): string {
  const settings = settingsOf(io);
  const isThatRig = Object.keys(settings).length > 0 && stateDirOf(settings) === stateDirOf(env);
  return urlOf({}, isThatRig ? settings : env);
}

function document(stopped: Stopped | { whys: string[] }): object {
  if ('report' in stopped) return { ...stopped.report, by: stopped.by };
  const error = `neither the bridge nor the guard could make the rig safe: ${stopped.whys.join('; ')}`;
  return { ok: false, outcome: 'failed', code: 'stop_failed', error, steps: [] };
}

async function lines(stopped: Stopped | { whys: string[] }): Promise<string[]> {
  if ('whys' in stopped)
    return [
      'NOT SAFE: neither the bridge nor the guard could make the rig safe',
      ...stopped.whys.map((why) => `  ${why}`),
      ...(await byHand([])),
    ];
  const { report, by } = stopped;
  const bench = report.bench === true ? ' (bench)' : '';
  const steps = table(
    report.steps.map(({ name, status, duration_ms, detail }) => [name, status, `${duration_ms} ms`, detail]),
  );
  for (const who of report.killed ?? []) steps.push(`${who} did not respond and was killed`);
  const took = `${report.duration_ms} ms, by ${by}${bench}`;
  if (report.outcome === 'safe') return [...steps, `safe, in ${took}`, ...latchLines(report)];
  if (report.outcome === 'simulated')
    return [
      ...steps,
      `simulated, in ${took}: this bridge runs in mock mode and drives no device`,
      ...latchLines(report),
    ];
  const missing = report.steps.filter(({ ok }) => !ok);
  return [
    ...steps,
    `NOT SAFE: ${report.outcome}, in ${took}`,
    ...(await byHand(missing)),
    ...latchLines(report),
  ];
}

/** A stop stays: how it is cleared, and what would end it without that. */
function latchLines({ operator_stop: stop }: StopReport): string[] {
  if (!stop) return [];
  if (stop.in_force === false)
    return [
      'THE STOP DOES NOT STAY: it could not be recorded, and no svc-guard runs to keep it: a bridge that starts switches on again',
      'Make the state folder (SVC_STATE_DIR) writable, then stop again',
    ];
  const lines = [`stopped by ${stop.by}: nothing is switched on until: svcctl stop --clear ${stop.id}`];
  if (!stop.persisted)
    lines.push(
      'the stop is not on the disk: it lasts as long as svc-bridge or svc-guard runs; make the state folder (SVC_STATE_DIR) writable',
    );
  return lines;
}

/** Each thing to do once, in the order of the steps; those of all steps where no known one failed. */
async function byHand(failed: readonly Pick<StepReport, 'name'>[]): Promise<string[]> {
  // A stop that succeeds loads none of the tables.
  const { STEP_NAMES, stepSpec } = await import('../../rig/safe-state/report.ts');
  const known = STEP_NAMES.filter((name) => failed.some((one) => one.name === name));
  const names = known.length > 0 ? known : STEP_NAMES;
  return ['Do by hand, now:', ...new Set(names.map((name) => `  ${stepSpec(name).byHand}`))];
}

/**
 * `svcctl stop --clear [id]`: a person has checked the rig, actuators may be switched on again (SVC-049). With an
 * id, a stop that came after the one that this person has seen stays.
 * @throws CliError exit code 3 when the bridge refuses or does not answer
 */
async function clearCommand(
  { firmwareUrl, clear, json }: { firmwareUrl?: string; clear: string | true; json?: true },
  io: Io,
): Promise<number> {
  const { BridgeCalls } = await import('../lease/bridge-calls.ts');
  const asked = new URLSearchParams({ by: whoAsks(), ...(clear === true ? {} : { id: clear }) });
  const answer = await new BridgeCalls(firmwareUrl, io).call('POST', `hardware/operator-stop/clear?${asked}`);
  const { cleared } = answer as { cleared: { by: string; at: string } | null };
  const line = cleared ? `the stop by ${cleared.by} at ${cleared.at} is cleared` : 'no stop was in force';
  io.stdout.write(`${json ? JSON.stringify(answer) : line}\n`);
  return EXIT.ok;
}

/** The operator at this terminal, for people: `anna@rig`. Never throws. */
function whoAsks(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // An account that the machine has no name for.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
