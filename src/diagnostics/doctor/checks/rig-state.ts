import { serviceHash } from '../../../rig/configuration/sections.ts';
import { ACTUATOR_KINDS } from '../../../rig/device-kinds/index.ts';
import { failedStepsText } from '../../../rig/safe-state/report.ts';
import { failed, type Json } from '../../firmware-report.ts';
import { type Check, type DoctorSignals, seen } from '../finding.ts';

/** The guard rehearses once a day. */
const RELAY_TEST_MS = 48 * 3_600_000;

/** Group E: what the bridge says of the state of the rig. */
export const rigStateChecks: readonly Check[] = [
  {
    code: 'rig_not_safe',
    severity: 'error',
    repair: 'make_safe',
    find: (signals) => {
      const bridge = bridgeOf(signals);
      const [source, notSafe] = bridge ? ['GET /health', bridge.not_safe] : guardNotSafe(signals);
      if (typeof notSafe !== 'string') return undefined;
      return {
        message: `${devicesIn(notSafe)} not proven safe: ${notSafe}`,
        evidence: [seen(source, `not_safe: ${notSafe}`)],
        cause: 'a device did not prove by read-back that it is off',
        remedy: 'disconnect the supply of the actuators, check the named device, then svcctl stop',
      };
    },
  },
  {
    code: 'operator_stop_latched',
    severity: 'warn',
    repair: 'clear_operator_stop',
    find: (signals) => {
      const stop = bridgeOf(signals)?.operator_stop as Json | null | undefined;
      if (!stop) return undefined;
      return {
        message: `the rig was stopped by ${String(stop.by)} at ${String(stop.at)} and grants no lease`,
        evidence: [seen('GET /health', `operator_stop: ${String(stop.reason)}`)],
        cause: 'a person, or the guard for a person, stopped the rig',
        remedy: 'check the rig, then svcctl stop --clear',
      };
    },
  },
  {
    code: 'guard_absent',
    severity: 'error',
    repair: 'start_guard',
    find: (signals) => {
      const guard = bridgeOf(signals)?.guard as Json | undefined;
      if (guard?.watching !== false) return undefined;
      return {
        message: 'no guard watches the bridge; runs on the rig are refused',
        evidence: [seen('GET /health', 'guard.watching false')],
        cause: 'svc-guard does not run, or belongs to another state folder (SVC_STATE_DIR)',
        remedy: 'svcctl services --adopt',
      };
    },
  },
  {
    code: 'actuator_supply_off',
    severity: 'error',
    repair: 'restore_actuator_supply',
    find: (signals) => {
      const off = (bridgeOf(signals)?.supply as Json | undefined)?.off;
      if (typeof off !== 'string') return undefined;
      return {
        message: `the watchdog relay keeps the supply of valves, pump and lung off: ${off}`,
        evidence: [seen('GET /health', `supply.off: ${off}`)],
        cause: 'the guard feeds the relay only while it watches the bridge and the rig is proven safe',
        remedy: 'mend what is named, then svcctl stop; docs/hil-bench.md has the circuit and its test',
      };
    },
  },
  {
    code: 'relay_untested',
    severity: 'warn',
    repair: 'test_relay',
    find: (signals) => {
      const supply = bridgeOf(signals)?.supply as Json | undefined;
      if (!supply) return undefined;
      const { relay_tested_at: at } = supply;
      const isRecent = typeof at === 'string' && signals.facts.nowMs - Date.parse(at) < RELAY_TEST_MS;
      if (isRecent) return undefined;
      return {
        message: 'the watchdog relay was not seen to open within the last 48 h',
        evidence: [seen('GET /health', `supply.relay_tested_at: ${String(at)}`)],
        cause:
          'no contact is read back (guard.pulse.read_back in svc.yaml), or the daily rehearsal does not run',
        remedy: 'wire the contact and set guard.test_coil, or test the relay by hand: docs/hil-bench.md',
      };
    },
  },
  {
    code: 'config_stale_in_process',
    severity: 'warn',
    repair: 'apply_config',
    find: (signals) => {
      const { loaded, detection } = signals;
      const stamp = bridgeOf(signals)?.configuration as Json | undefined;
      if (!loaded || !detection.firmware.is_local || typeof stamp?.sha256 !== 'string') return undefined;
      if (stamp.sha256 === serviceHash(loaded.file, 'svc-bridge')) return undefined;
      return {
        message: 'svc-bridge runs with another configuration than svc.yaml has now',
        evidence: [seen('GET /health', `loaded ${String(stamp.loaded_at)} from ${String(stamp.file)}`)],
        cause: 'svc.yaml was changed after the bridge had started, or this is another svc.yaml',
        remedy: 'svcctl config apply',
      };
    },
  },
];

/** The devices whose steps of the safe state are named. */
function devicesIn(notSafe: string): string {
  const kinds = ACTUATOR_KINDS.filter(({ safeState }) =>
    Object.keys(safeState).some((step) => notSafe.includes(step)),
  );
  const names = kinds.flatMap(({ names: [name] }) => name);
  return names.length === 0 ? 'the rig is' : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
}

/** Without a bridge the guard drives the devices, again and again until all are proven off; its last report says what it lacks. */
function guardNotSafe({
  detection,
  owners,
  facts: { guardReport },
}: DoctorSignals): [string, string | undefined] {
  const source = 'guard-last.json';
  // A bridge that is there has made the rig safe at its start, or says so when it responds.
  const hasBridge = [...owners.owners.values()].some((list) => list.some(({ own_bridge }) => own_bridge));
  if (!detection.firmware.is_local || hasBridge || !guardReport || guardReport.ok) return [source, undefined];
  const steps = guardReport.steps.filter(({ ok }) => !ok).map(({ name, detail }) => ({ name, why: detail }));
  return [`${source} of ${guardReport.at}`, failedStepsText(steps) || guardReport.reason];
}

function bridgeOf({ detection: { firmware } }: DoctorSignals): Json | undefined {
  return failed(firmware.bridge) ? undefined : firmware.bridge;
}
