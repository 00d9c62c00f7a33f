import type { Json } from '../../diagnostics/firmware-report.ts';
import { type CheckRecord, recordOf, saveRecord } from '../../diagnostics/function-check/check-record.ts';
import { functionCheck } from '../../diagnostics/function-check/function-check.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { loadRigConfig } from '../../rig/configuration/load-rig-config.ts';
import { registryOf } from '../../rig/registry/registry-of.ts';
import { diagnosticsPlace } from '../doctor/diagnostics-place.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { BridgeCalls } from '../lease/bridge-calls.ts';
import { LeasedRig } from '../lease/leased-rig.ts';
import { type DiagContext, type Outcome, reachableHealth, requireConsent } from './diag-context.ts';

const INPUTS = ['ai01', 'ai02', 'ai03'] as const;

/**
 * `calibrate` of the product: a function check, not a calibration. @throws CliError; nothing was switched, or the rig is safe
 */
export async function checkCommand(context: DiagContext): Promise<Outcome & { document: CheckRecord }> {
  const { io, firmwareUrl, json } = context;
  const { firmware, env } = diagnosticsPlace(firmwareUrl, io);
  const health = await reachableHealth(firmware);
  requireFit(health);
  const { simulated, mode, bench } = marksOf(health);
  const mark = simulated
    ? 'mock: nothing real is switched'
    : bench
      ? 'bench: the devices are twins'
      : 'real: the devices of the rig';
  await requireConsent(
    [
      'Function check (it calibrates nothing; svcctl calibrate <sensor> does):',
      'the pump runs at 10 % for a moment, three valves open and close, the voltages are read; then the rig is made safe.',
      `bridge ${firmware.url}, mode ${mode} (${mark})`,
    ],
    context,
  );
  const { config } = loadRigConfig({ env, cwd: io.cwd });
  const registry = registryOf(config);
  const bridge = new BridgeCalls(firmwareUrl, io);
  context.signal.throwIfAborted();
  const rig = await LeasedRig.take(bridge, 'svc-diag', io);
  const check = await functionCheck(
    {
      command: (path) => rig.command(path),
      reading: (sensor) => bridge.call('GET', `hardware/sensor/${sensor}`),
      end: () => rig.end(),
    },
    {
      clock: io.clock,
      signal: AbortSignal.any([context.signal, rig.lost]),
      windows: config.windows,
      ranges: Object.fromEntries(INPUTS.map((input) => [input, registry.sensor(input)?.range])) as never,
      progress: (test) => {
        if (!json) io.stderr.write(`${test.passed ? 'PASS' : 'FAIL'}  ${test.name}: ${test.details}\n`);
      },
    },
  );
  const timestamp = new Date(io.clock.now()).toISOString();
  const record = recordOf(check, { timestamp, firmware_url: firmware.url, mode, simulated, bench });
  const folder = stateDirOf(env);
  let path: string;
  try {
    path = await saveRecord(folder, record);
  } catch (cause) {
    const message = `the result cannot be saved below ${folder}: ${reasonOf(cause)}; ${record.passed} of ${record.total} tests passed`;
    throw new CliError('calibration_not_saved', message, EXIT.error, { cause });
  }
  const exitCode = check.aborted ? EXIT.aborted : record.ok ? EXIT.ok : EXIT.failed;
  return { document: record, lines: checkLines(record, path), exitCode };
}

export function marksOf(health: Json): Pick<CheckRecord, 'mode' | 'simulated' | 'bench'> {
  const simulated = health.simulated === true || health.mode === 'mock';
  return { mode: String(health.mode ?? 'unknown'), simulated, bench: health.bench === true };
}

/** @throws CliError `not_ready` with what has to be mended first */
function requireFit(health: Json): void {
  const { power, components } = health as { power?: Json; components?: Record<string, Json> };
  const faults: string[] = [];
  if (power?.undervoltage_now === true) faults.push('the supply is too low');
  const isMock = marksOf(health).simulated;
  for (const [key, name] of [
    ['motor', 'the pump'],
    ['modbus', 'the valve board'],
    ['sensor_adc', 'the sensor ADC'],
  ] as const)
    if (!isMock && !/^(ok|connected|healthy|ready)\b/.test(String(health[key])))
      faults.push(`${name} is ${String(health[key])}`);
  if (JSON.stringify(components ?? {}).includes('"calibration_confirmation_required":true'))
    faults.push('a calibration has to be confirmed (svcctl adc-confirm)');
  if (health.operator_stop) faults.push("an operator's stop is in force (svcctl stop --clear)");
  if (faults.length > 0)
    throw new CliError(
      'not_ready',
      `nothing was switched: ${faults.join('; ')}; svc-diag --doctor finds the cause`,
      EXIT.error,
    );
}

function checkLines(record: CheckRecord, path: string): string[] {
  const { simulated, bench, passed, failed: bad, aborted, safe_state } = record;
  const mark = simulated
    ? 'MOCK: nothing real was checked'
    : bench
      ? 'BENCH: the devices are twins'
      : undefined;
  return [
    ...(mark ? [mark] : []),
    ...record.errors.map((error) => `failed: ${error}`),
    `${aborted ? 'aborted: ' : ''}${passed} passed, ${bad} failed; safe state: ${safe_state.outcome}`,
    `saved as ${path}`,
  ];
}
