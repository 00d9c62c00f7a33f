import type { Detection } from '../detect.ts';
import { failed } from '../firmware-report.ts';
import { adapterChecks } from './checks/adapters.ts';
import { bridgeChecks } from './checks/bridge.ts';
import { calibrationChecks } from './checks/calibration.ts';
import { cardChecks } from './checks/card.ts';
import { configChecks } from './checks/config.ts';
import { hostChecks } from './checks/host.ts';
import { modbusChecks } from './checks/modbus.ts';
import { ownerChecks } from './checks/owners.ts';
import { rigStateChecks } from './checks/rig-state.ts';
import { systemChecks } from './checks/system.ts';
import { usbChecks } from './checks/usb.ts';
import { fold } from './explains.ts';
import type { Check, DoctorSignals, Found, Issue, ModbusFix, Repair, Severity } from './finding.ts';
import { folds } from './folds.ts';

export interface Diagnosis {
  issues: readonly Issue[];
  repairs: readonly Repair[];
  /** Checks that could not be made. */
  not_checked: readonly { code: string; reason: string }[];
  /** What `--fix` would write; undefined when nothing. */
  fix: ModbusFix | undefined;
}

/** The answer of `svcctl doctor --json`. */
export interface DoctorReport {
  /** No open errors. */
  ok: boolean;
  status: 'ok' | 'needs_attention';
  summary: { errors: number; warnings: number; infos: number; repairs: number; applied_repairs: number };
  issues: readonly Issue[];
  repairs: readonly Repair[];
  not_checked: Diagnosis['not_checked'];
  applied_repairs: readonly AppliedRepair[];
  fix_requested: boolean;
  detection: Detection;
}

export interface AppliedRepair {
  id: string;
  path: string;
  backup: string;
  changes: Readonly<Record<string, { from: string | number; to: string | number }>>;
  hint: string;
}

/** Every check in the order A to F (diagnostics specification, section 3), as far as they can be made. */
export function checksFor({ detection: { firmware } }: DoctorSignals): Check[] {
  const local = firmware.is_local ? [...modbusChecks, ...ownerChecks] : [];
  const machine = [...hostChecks, ...usbChecks, ...systemChecks, ...cardChecks];
  return [...configChecks, ...calibrationChecks, ...local, ...machine, ...firmwareChecks(firmware)];
}

/** `firmware_unreachable` ends E and F, `identify_unavailable` F, another mode than real the adapters. */
function firmwareChecks({ bridge, health, identify }: Detection['firmware']): Check[] {
  if (failed(bridge) || failed(health))
    return [...rigStateChecks, ...bridgeChecks].filter(({ code }) =>
      ['rig_not_safe', 'firmware_unreachable'].includes(code),
    );
  const identified = adapterChecks.filter(({ code }) => code === 'identify_unavailable');
  const state = [...bridgeChecks, ...rigStateChecks];
  if (failed(identify)) return [...state, ...identified];
  if (health.mode === 'real') return [...state, ...adapterChecks];
  return [...state, ...adapterChecks.filter(({ code }) => code.endsWith('no_serial_access'))];
}

/** Turns signals into findings and repairs. Nothing is changed. */
export function diagnose(signals: DoctorSignals): Diagnosis {
  const issues: Issue[] = [];
  const repairs = new Map<string, Repair>();
  const notChecked: { code: string; reason: string }[] = [];
  let fix: ModbusFix | undefined;
  for (const check of checksFor(signals)) {
    const result = check.find(signals);
    if (result === undefined) continue;
    if ('notChecked' in result) {
      notChecked.push({ code: check.code, reason: result.notChecked });
      continue;
    }
    for (const found of isList(result) ? result : [result]) {
      issues.push(issueOf(check, found));
      if (found.fix?.unsafe === null) fix = found.fix;
      if (check.repair !== null && !repairs.has(check.repair))
        repairs.set(check.repair, repairOf(check.repair, found));
    }
  }
  return { issues: fold(issues), repairs: [...repairs.values()], not_checked: notChecked, fix };
}

const isList = (result: Found | readonly Found[]): result is readonly Found[] => Array.isArray(result);

function issueOf(
  { code, severity, repair }: Check,
  { message, evidence, cause, remedy, ...found }: Found,
): Issue {
  return {
    severity,
    code: found.code ?? code,
    message,
    evidence,
    cause,
    remedy,
    caused_by: null,
    repair,
    repaired: false,
  };
}

function repairOf(id: string, { fix, remedy }: Found): Repair {
  const safe = fix?.unsafe === null;
  return {
    id,
    safe,
    applied: false,
    reason: safe ? 'not requested' : 'unsafe',
    hint: safe ? 'run doctor --fix' : remedy,
    ...(fix ? { mismatches: fix.mismatches, detected: fix.detected } : {}),
  };
}

/** @param applied what `--fix` has done */
export function reportOf(
  { issues, repairs, not_checked }: Omit<Diagnosis, 'fix'>,
  detection: Detection,
  { fixRequested = false, applied = [] }: { fixRequested?: boolean; applied?: readonly AppliedRepair[] } = {},
): DoctorReport {
  const open = folds(issues);
  const count = (severity: Severity) => open.filter((one) => one.severity === severity).length;
  const [errors, warnings, infos] = [count('error'), count('warn'), count('info')];
  return {
    ok: errors === 0,
    status: errors + warnings === 0 ? 'ok' : 'needs_attention',
    summary: { errors, warnings, infos, repairs: repairs.length, applied_repairs: applied.length },
    issues,
    repairs,
    not_checked,
    applied_repairs: applied,
    fix_requested: fixRequested,
    detection,
  };
}
