import type { Clock } from '../../../lib/clock/clock.ts';
import { ACTUATOR_KINDS } from '../../../rig/device-kinds/index.ts';
import { lung } from '../../../rig/device-kinds/lung.ts';
import { pump } from '../../../rig/device-kinds/pump.ts';
import { valveBoard } from '../../../rig/device-kinds/valve-board.ts';
import { voltageConverter } from '../../../rig/device-kinds/voltage-converter.ts';
import type { Registry } from '../../../rig/registry/registry.ts';
import type { DeviceMode } from '../../events/event.ts';
import { calibrationFaults } from '../calibration-faults.ts';
import { RunFault } from '../fault.ts';
import type { RigMarks, RigUses } from '../rig.ts';
import type { Answer, BridgeClient } from './bridge-client.ts';
import { isRecord, rejectionOf, saysBench, saysSimulated } from './rejection.ts';

const HEALTH_TIMEOUT_MS = 2000;
/** The bridge answers within 3 s. */
const HARDWARE_TIMEOUT_MS = 5000;
const SAFE_PATIENCE_MS = 3000;
const SAFE_STEP_MS = 250;
/** A guard that was stopped or killed runs again within 2 s (SVC-053). */
const GUARD_PATIENCE_MS = 3000;
const GUARD_POLL_MS = 100;

export interface PreflightOptions {
  readonly client: BridgeClient;
  readonly base: string;
  readonly uses: RigUses;
  readonly registry: Pick<Registry, 'peripheral' | 'sensor'>;
  /** `--simulated`: a bridge in mock mode will do. */
  readonly simulated: boolean;
  /** `require_real`: neither a bench nor a simulation will do. */
  readonly requireReal: boolean;
  /** Neither a bench nor the rig will do: whoever starts a service in mock mode does not expect anything to move. */
  readonly requireMock: boolean;
  /** `--without-guard`: a bench will do without a guard. */
  readonly withoutGuard: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Short key of the hardware health, and the component behind it. */
const COMPONENT = { sensor: voltageConverter, pump, lung, valve: valveBoard } as const;
const ACTUATORS: readonly string[] = ACTUATOR_KINDS.flatMap(({ names }): readonly string[] => names);

export interface Passed {
  readonly marks: RigMarks;
  /** The bridge answers the readings of several sensors one by one (`JointReads`). */
  readonly readsEach: boolean;
}

/**
 * Checks whether the bridge answers and whether what the plan uses works; actuates nothing.
 * @throws RunFault SCN409
 */
export async function preflight(options: PreflightOptions): Promise<Passed> {
  const health = await ask(options, '/health', HEALTH_TIMEOUT_MS);
  let simulated = saysSimulated(health) || health.mode === 'mock';
  let bench = saysBench(health);
  requireNoOperatorStop(health, options);
  const { uses } = options;
  let devices: RigMarks['devices'];
  const usesDevices = uses.peripherals.length > 0 || uses.sensors.length > 0;
  const hardware = usesDevices && (await ask(options, '/api/v1/hardware/health', HARDWARE_TIMEOUT_MS));
  if (hardware) {
    simulated ||= saysSimulated(hardware) || hardware.mode === 'mock';
    bench ||= saysBench(hardware);
    requireOneMode(health, hardware, options);
  }
  requireSimulation(simulated && !bench, options);
  if (hardware) {
    devices = deviceModes(hardware);
    requireMode(hardware, simulated, options);
    requireComponents(hardware, simulated, options);
    // Behind the devices that the plan uses, which say more of what is wrong.
    await requireSafe(hardware, options);
    if (uses.sensors.length > 0) requireConfirmedSource(hardware);
  }
  if (options.requireReal && (simulated || bench))
    throw refused(
      `${options.base} is ${simulated ? 'a simulation (mock mode)' : 'a bench of twins'} and svc.yaml of this machine demands the real rig (require_real)`,
    );
  if (!simulated) await requireGuard(health, bench, options);
  const readsEach = Array.isArray(health.offers) && health.offers.includes('sensors/each');
  return { marks: { simulated, bench, ...(devices ? { devices } : {}) }, readsEach };
}

/** What drives each device, as the hardware health tells it. */
function deviceModes({ components }: Record<string, unknown>): Record<string, DeviceMode> {
  const entries = Object.entries(isRecord(components) ? components : {});
  return Object.fromEntries(
    entries.flatMap(([id, one]): [string, DeviceMode][] => {
      if (!isRecord(one) || one.status === 'disabled') return [];
      return [[id, one.status === 'mock' ? 'mock' : saysBench(one) ? 'bench' : 'real']];
    }),
  );
}

/** Nobody would make the rig safe when the bridge crashes or hangs. */
async function requireGuard(
  health: Record<string, unknown>,
  bench: boolean,
  options: PreflightOptions,
): Promise<void> {
  const { base, withoutGuard, clock, signal } = options;
  if (withoutGuard) {
    if (bench) return;
    throw refused(
      `${base} is not a bench, and --without-guard is for a bench only: start svc-guard and run without that option`,
    );
  }
  const until = clock.monotonic() + GUARD_PATIENCE_MS;
  let isWatched = saysWatched(health);
  while (!isWatched && clock.monotonic() < until) {
    await clock.sleep(GUARD_POLL_MS, signal);
    isWatched = saysWatched(await ask(options, '/health', HEALTH_TIMEOUT_MS));
  }
  if (isWatched) return;
  throw refused(
    `no guard is watching ${base}: start svc-guard with the SVC_STATE_DIR of the bridge${bench ? ', or add --without-guard ("without_guard": true)' : ''}`,
  );
}

const saysWatched = ({ guard }: Record<string, unknown>): boolean =>
  isRecord(guard) && guard.watching === true;

const refused = (message: string, cause?: unknown): RunFault =>
  new RunFault('SCN409', message, { scope: 'run', cause });

async function ask(
  { client, base, signal }: PreflightOptions,
  path: string,
  timeoutMs: number,
): Promise<Record<string, unknown>> {
  let answer: Answer;
  try {
    answer = await client.send({ method: 'GET', url: base + path, timeoutMs, signal });
  } catch (thrown) {
    if (!(thrown instanceof RunFault) || signal.aborted) throw thrown;
    throw refused(`${thrown.message}; start the bridge, or give another --firmware-url`, thrown);
  }
  // The hardware health says ok: false when anything is wrong, also what this plan does not use.
  const judged = path === '/health' ? answer : { ...answer, json: isRecord(answer.json) ? {} : answer.json };
  const fault = rejectionOf(judged);
  if (fault !== undefined || !isRecord(answer.json)) throw refused(`${base}${path}: ${fault ?? 'no JSON'}`);
  return answer.json;
}

/** @throws RunFault SCN409 */
function requireNoOperatorStop(
  { operator_stop: stop }: Record<string, unknown>,
  { base }: PreflightOptions,
): void {
  if (isRecord(stop))
    throw refused(
      `${stop.by} stopped the rig of ${base} at ${stop.at} (${stop.reason}); check the rig, then clear the stop: svcctl stop --clear`,
    );
}

/** Another bridge has taken the place of the first between the two questions. */
function requireOneMode(
  health: Record<string, unknown>,
  hardware: Record<string, unknown>,
  { base }: PreflightOptions,
): void {
  const modes = [health.mode, hardware.mode];
  if (modes.includes('mock') && modes.includes('real'))
    throw refused(
      `${base} says mode ${JSON.stringify(health.mode)} of itself and ${JSON.stringify(hardware.mode)} of its hardware; wait until the bridge has started, then start the run again`,
    );
}

function requireSimulation(isSimulation: boolean, { base, requireMock }: PreflightOptions): void {
  if (requireMock && !isSimulation)
    throw refused(
      `${base} does not say that it only simulates, and this service is in mock mode: start both with SVC_HARDWARE_MODE=real, or the bridge in mock mode too`,
    );
}

function requireMode(health: Record<string, unknown>, simulated: boolean, options: PreflightOptions): void {
  if (simulated && !options.simulated)
    throw refused(
      `${options.base} is in mock mode: its actuators do not move and its readings are simulated. Start the bridge with SVC_HARDWARE_MODE=real, or start the run with --simulated ("simulated": true)`,
    );
  if (!simulated && health.mode !== 'real')
    throw refused(`${options.base} reports mode ${JSON.stringify(health.mode)}, expected "real"`);
}

/**
 * Something may be on that no safe state has switched off (SVC-050). The bridge repeats what was not
 * proven after 0.5 and 1 s: so long it is waited for.
 */
async function requireSafe(health: Record<string, unknown>, options: PreflightOptions): Promise<void> {
  const { base, clock, signal } = options;
  let hardware = health;
  let { not_safe: why } = hardware;
  for (const patience = clock.monotonic() + SAFE_PATIENCE_MS; typeof why === 'string'; ) {
    if (clock.monotonic() >= patience)
      throw refused(
        `not_safe: the last safe state of ${base} is not proven: ${why}. Restore the device, or disconnect the actuators' supply; then repeat svcctl stop${howToLeaveOut(hardware)}`,
      );
    await clock.sleep(SAFE_STEP_MS, signal);
    hardware = await ask(options, '/api/v1/hardware/health', HARDWARE_TIMEOUT_MS);
    ({ not_safe: why } = hardware);
  }
}

/** Of devices that are broken or away. One that answers and does not obey, or that another program has, is neither. */
function howToLeaveOut({ components }: Record<string, unknown>): string {
  const actuators = ACTUATORS.filter((id) => {
    const one = isRecord(components) ? components[id] : undefined;
    return isRecord(one) && !['ok', 'mock', 'disabled', 'held'].includes(String(one.status));
  });
  if (actuators.length === 0) return '';
  const names = actuators.join(' and ');
  return `. If this rig can do without ${names}, disconnect it, set enabled: false for it in svc.yaml, and run svcctl config apply`;
}

function requireComponents(
  health: Record<string, unknown>,
  simulated: boolean,
  { uses, registry }: PreflightOptions,
): void {
  const needed = new Set<keyof typeof COMPONENT>();
  const plugins = new Set<string>();
  for (const id of uses.sensors) {
    const plugin = registry.sensor(id)?.plugin;
    if (plugin === undefined) needed.add('sensor');
    else plugins.add(plugin);
  }
  for (const id of uses.peripherals) {
    const kind = registry.peripheral(id)?.kind;
    if (kind && kind !== 'other') needed.add(kind);
  }
  const components = isRecord(health.components) ? health.components : {};
  const wanted = [
    ...[...needed].map((kind) => {
      const { healthKey: key, names, title } = COMPONENT[kind];
      return { key, id: names[0], title, short: health[key] };
    }),
    ...[...plugins].map((id) => ({ key: id, id, title: 'the sensor', short: undefined })),
  ];
  for (const { key, id, title, short } of wanted) {
    const component = components[id];
    const status = short ?? (isRecord(component) ? component.status : undefined);
    if (status === 'ok' || (simulated && status === 'mock')) continue;
    if (status === undefined)
      throw refused(`the bridge does not report ${title} (${key}), which this scenario uses`);
    // The short status holds the beginning of the message.
    const message = isRecord(component) && typeof component.message === 'string' ? component.message : '';
    const why = message || (typeof status === 'string' ? status : JSON.stringify(status));
    throw refused(`this scenario uses ${title} (${key}), which is not ready: ${why}`);
  }
}

/**
 * The sources of the voltages are those that a person confirmed the calibration for. The bridge tells it of the
 * component that measures, or of itself.
 */
function requireConfirmedSource(health: Record<string, unknown>): void {
  const components = Object.entries(isRecord(health.components) ? health.components : {});
  const doubtful = [['the bridge', health] as const, ...components].find(
    ([, one]) => isRecord(one) && one.calibration_confirmation_required === true,
  );
  if (doubtful === undefined) return;
  throw refused(
    `the voltage sources differ from those the calibration was confirmed for (${doubtful[0]}: calibration_confirmation_required); check them and run svcctl adc-confirm`,
  );
}

/**
 * No limit of the plan lies beyond what its sensor can measure: a comparison with one is decided before it is made.
 * @param findings what SCN250 told of them
 * @throws RunFault SCN409
 */
export function requireMeasurableLimits(findings: readonly string[]): void {
  if (findings.length > 0) throw refused(findings.join('; '));
}

/**
 * Every calibration that the plan needs is valid now. @param nowMs wall clock
 * @throws RunFault SCN409
 */
export function requireCalibrations(sensors: readonly string[], registry: Registry, nowMs: number): void {
  const faults = calibrationFaults(sensors, registry, nowMs);
  if (faults.length > 0) throw refused(faults.join('; '));
}
