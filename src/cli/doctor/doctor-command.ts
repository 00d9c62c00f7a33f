import { createInterface } from 'node:readline/promises';
import type { Signals } from '../../diagnostics/detect.ts';
import { isFoundAt } from '../../diagnostics/doctor/checks/modbus.ts';
import { collectFacts } from '../../diagnostics/doctor/collect-facts.ts';
import {
  type AppliedRepair,
  type Diagnosis,
  type DoctorReport,
  diagnose,
  reportOf,
} from '../../diagnostics/doctor/doctor.ts';
import type { DoctorSignals } from '../../diagnostics/doctor/finding.ts';
import { applyModbusFix, planLines } from '../../diagnostics/doctor/fix.ts';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import type { Profile } from '../../rig/profiles/profile.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { profilePath, readProfile, readSettings } from '../profile/rig-files.ts';
import { projectRoot } from '../start/project-root.ts';
import { runtimeFolder } from '../start/runtime-folder.ts';
import { collect, DEFAULT_BUDGET_MS, type DetectOptions } from './detect-command.ts';
import { diagnosticsPlace } from './diagnostics-place.ts';
import { doctorLines } from './doctor-text.ts';
import { onInterrupt } from './on-interrupt.ts';

export interface DoctorOptions extends DetectOptions {
  fix?: true;
  yes?: true;
  /** Warnings count as errors. */
  strict?: true;
}

const FIXED_CODE = 'modbus_config_mismatch';
const REPAIR_ID = 'update_modbus_config';

/**
 * `svcctl doctor`. @returns 0 without open errors; 1 with errors, with `--strict` also with warnings; 3 when a repair failed; 130
 */
export async function doctorCommand(options: DoctorOptions, io: Io): Promise<number> {
  return onInterrupt(async (signal) => {
    const signals = await examine(options, io, signal, options.json ? undefined : sayFirst(options, io));
    const diagnosis = diagnose(signals);
    const report = options.fix
      ? await fix(signals, diagnosis, options, io, signal)
      : reportOf(diagnosis, signals.detection);
    io.stdout.write(`${options.json ? JSON.stringify(report) : doctorLines(report, io).join('\n')}\n`);
    if (report.repairs.some(({ reason }) => reason === 'failed')) return EXIT.error;
    const { errors, warnings } = report.summary;
    return errors > 0 || (options.strict && warnings > 0) ? EXIT.failed : EXIT.ok;
  });
}

/** The findings of the rig as it is; nothing is changed. */
export async function diagnosed(options: DetectOptions, io: Io, signal: AbortSignal): Promise<DoctorReport> {
  const signals = await examine(options, io, signal);
  return reportOf(diagnose(signals), signals.detection);
}

/** A person at a dead rig has the findings before a silent line is swept; the sweep may change what they say of that line. */
const sayFirst =
  ({ probeBudget = DEFAULT_BUDGET_MS }: DoctorOptions, io: Io) =>
  (signals: DoctorSignals): void => {
    const { detection } = signals;
    const lines = doctorLines(reportOf(diagnose(signals), detection), io);
    io.stderr.write(
      `First findings. The sweep of silent lines goes on, up to ${probeBudget / 1000} s; Ctrl-C ends it.\n\n${lines.join('\n')}\n\nAll findings:\n`,
    );
  };

async function examine(
  options: DoctorOptions,
  io: Io,
  signal: AbortSignal,
  onFirst?: (signals: DoctorSignals) => void,
): Promise<DoctorSignals> {
  const { host, env } = diagnosticsPlace(options.firmwareUrl, io);
  const facts = () => collectFacts({ host, env, clock: io.clock, profile: profileOf(io) });
  let isSwept = false;
  const first = async (signals: Signals) => {
    const found = { ...signals, facts: await facts() };
    if (!isSwept) onFirst?.(found);
  };
  // What goes wrong with the first findings shows in the last ones.
  const signals = await collect(options, io, signal, onFirst && ((one) => void first(one).catch(() => {})));
  isSwept = true;
  return { ...signals, facts: await facts() };
}

/** Undefined where none was chosen, where nothing is installed, and for a file that `svcctl profile` reports as damaged. */
function profileOf({ env, cwd }: Io): Profile | undefined {
  const root = projectRoot();
  if (root === undefined) return undefined;
  try {
    const folder = runtimeFolder(root, env.RIG_RUNTIME_DIR, cwd);
    return readProfile(profilePath(folder, readSettings(folder)));
  } catch (fault) {
    if (fault instanceof CodedError) return undefined;
    throw fault;
  }
}

/** Applies the safe repair, detects again, and takes back what did not help. */
async function fix(
  { detection }: DoctorSignals,
  diagnosis: Diagnosis,
  options: DoctorOptions,
  io: Io,
  signal: AbortSignal,
): Promise<DoctorReport> {
  const { config } = detection;
  const plan = diagnosis.fix;
  if (!plan || !config.ok || config.path === null)
    return reportOf(diagnosis, detection, { fixRequested: true });
  const path = config.path;
  const say = (text: string) => (options.json ? io.stderr : io.stdout).write(`${text}\n`);
  say(planLines(path, plan).join('\n'));
  if (!(await isAgreed(options, io))) {
    say('not repaired: nothing was changed');
    return reportOf(diagnosis, detection, { fixRequested: true });
  }
  let repair: Awaited<ReturnType<typeof applyModbusFix>>;
  try {
    const { env } = diagnosticsPlace(options.firmwareUrl, io);
    repair = await applyModbusFix(path, plan, { env, clock: io.clock });
  } catch (fault) {
    if (!(fault instanceof CodedError)) throw fault;
    io.stderr.write(`svcctl: ${messageOf(fault)}\n`);
    return reportOf(failed(diagnosis, messageOf(fault)), detection, { fixRequested: true });
  }
  const { applied, undo } = repair;
  let after: DoctorSignals | undefined;
  let now: Diagnosis | undefined;
  try {
    after = await examine(options, io, signal);
    now = diagnose(after);
  } finally {
    // Also when the second look fails: nothing has shown then that the new values are right.
    if (!now) await takenBack(applied, undo, 'the second look failed', io);
  }
  if (!isFoundAt(after, plan.detected) || now.issues.some(({ code }) => code === FIXED_CODE)) {
    const why = signal.aborted ? 'the second look was interrupted' : 'the second look did not find the board';
    const { hint, isUndone } = await takenBack(applied, undo, why, io);
    const done = isUndone ? [] : [applied];
    return reportOf(failed(diagnosis, hint), detection, { fixRequested: true, applied: done });
  }
  return reportOf(repaired(diagnosis, now), after.detection, { fixRequested: true, applied: [applied] });
}

/** Takes a repair back that was not proven, and says what is in the file now. */
async function takenBack({ path, changes }: AppliedRepair, undo: () => Promise<void>, why: string, io: Io) {
  let hint = `${why}; the repair was taken back: ${path} is as before`;
  let isUndone = true;
  try {
    await undo();
  } catch (fault) {
    if (!(fault instanceof CodedError)) throw fault;
    isUndone = false;
    const values = Object.entries(changes).map(([key, { from, to }]) => `${key}: ${from} -> ${to}`);
    hint = `${why}; ${messageOf(fault)} (${values.join(', ')})`;
  }
  io.stderr.write(`svcctl: ${hint}\n`);
  return { hint, isUndone };
}

/** A person is asked at a terminal; elsewhere `--fix` is the consent. */
async function isAgreed({ yes, json }: DoctorOptions, { stdin, stderr }: Io): Promise<boolean> {
  if (yes || json || !stdin.isTTY) return true;
  const reader = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await reader.question('Write these values? (yes/no) ')).trim());
  } finally {
    reader.close();
  }
}

function failed({ issues, repairs, not_checked }: Diagnosis, hint: string): Omit<Diagnosis, 'fix'> {
  return {
    issues,
    not_checked,
    repairs: repairs.map((one) => (one.id === REPAIR_ID ? { ...one, reason: 'failed', hint } : one)),
  };
}

/** The findings of the second look, with the one that is gone in its place. */
function repaired(before: Diagnosis, now: Diagnosis): Omit<Diagnosis, 'fix'> {
  const gone = before.issues
    .filter(({ code }) => code === FIXED_CODE)
    .map((issue) => ({ ...issue, repaired: true }));
  const done = before.repairs
    .filter(({ id }) => id === REPAIR_ID)
    .map((one) => ({ ...one, applied: true, reason: null, hint: 'restart the bridge: svcctl config apply' }));
  const first = now.issues.findIndex(({ code }) => !/^config_/.test(code));
  const at = first < 0 ? now.issues.length : first;
  return {
    issues: [...now.issues.slice(0, at), ...gone, ...now.issues.slice(at)],
    repairs: [...done, ...now.repairs],
    not_checked: now.not_checked,
  };
}
