import type { Clock } from '../../lib/clock/clock.ts';
import type { LockHolder } from '../../lib/lock/lock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import type { Plugin } from '../../rig/configuration/types.ts';
import { cappedCheck } from '../../rig/hardware/capped-check.ts';
import type { ComponentHealth } from '../../rig/hardware/ports.ts';
import { drivenLung, withRuntimeStatus } from '../../rig/hardware/real/lung.ts';
import { lungAccess } from '../../rig/hardware/real/open-lung.ts';
import type { TicLung } from '../../rig/hardware/real/tic-lung.ts';
import { LungRecord } from '../../rig/hardware/real/tic-lung-record.ts';
import type { LungSettings } from '../../rig/hardware/real/tic-lung-settings.ts';
import { KnownHealth } from '../../rig/service/known-health.ts';
import type { LungHealth } from './health.ts';
import type { OwnedLung } from './owned-lung.ts';
import { differencesData, LONGEST_HOLD_S, settingsData } from './settings.ts';

/** Longest probe of /health: the bridge waits 1.9 s, and a silent Tic is known as such after 1.6 s. */
const HEALTH_LIMIT_MS = 1850;
const KNOWN = ['ok', 'held', 'timeout', 'incompatible'] as const;

export interface RealLungOptions {
  plugin: Plugin;
  settings: LungSettings;
  clock: Clock;
  identity: () => LockHolder;
  logger: Logger;
  /** A motion ended, and that the motor stands still without current could not be proven. */
  onLost: (why: string) => void;
}

/** The Tic behind a port of this process. */
export function realLung({ plugin, settings, clock, logger, ...options }: RealLungOptions): OwnedLung {
  const record = new LungRecord();
  let driver: TicLung | undefined;
  const access = lungAccess({
    ...options,
    plugins: [plugin],
    clock,
    lung: settings,
    record,
    onReturn: () => logger.info('the lung motor answers again'),
    onOpened: (lung, { product, serial, firmware, differences }) => {
      driver = lung;
      logger.info(`${product} ${serial ?? ''} with firmware ${firmware}, halted and de-energized`);
      for (const { setting, wanted, actual } of differences)
        logger.warn(`setting ${setting} of the Tic is ${String(actual)}, ${String(wanted)} is wanted`);
    },
  });
  const device = drivenLung(access, clock);
  const { port, component } = device;
  /** At the last opening. */
  const found = () => ({
    firmware: driver?.report?.firmware ?? null,
    serial: driver?.report?.serial ?? null,
    differences: differencesData(driver?.report?.differences ?? []),
  });
  const silent = (ms: Milliseconds) => ({
    status: 'timeout' as const,
    code: 'device_timeout',
    message: `no answer for ${ms} ms`,
    endpoint: component.endpoint,
  });
  const known = new KnownHealth<Pick<ComponentHealth, 'status' | 'code' | 'message' | 'endpoint' | 'holder'>>(
    {
      clock,
      probe: () => cappedCheck(component, { clock, limitMs: HEALTH_LIMIT_MS }),
      silent,
    },
  );
  const shown = ({ status, code, message, endpoint, holder }: Awaited<ReturnType<typeof known.get>>) =>
    ({
      ok: status === 'ok',
      status: KNOWN.find((one) => one === status) ?? 'error',
      code,
      message,
      driver: 'Tic T249',
      identified: status === 'ok',
      address: endpoint,
      ...found(),
      mock_mode: false,
      simulated: false,
      bench: port.origin.bench,
      holder: holder ?? null,
    }) satisfies LungHealth;
  const marks = () => ({ mock: false, simulated: false, bench: port.origin.bench });
  return {
    port,
    get isUnderWay() {
      return driver?.isUnderWay ?? false;
    },
    get mayHaveCurrent() {
      return record.mayHaveCurrent;
    },
    plannedMs: (motion) => driver?.plannedMs(motion),
    energize: (signal) => withRuntimeStatus(access, (lung) => lung.energize(signal)),
    home: (direction, signal) => withRuntimeStatus(access, (lung) => lung.home(direction, signal)),
    settings: () => ({
      ok: true,
      product: driver?.report?.product ?? null,
      ...found(),
      settings: driver?.report ? settingsData(driver.report.settings) : null,
      observed_at: driver?.report ? new Date(driver.report.observedAt).toISOString() : null,
      min_vin_v: settings.minVinV,
      homing_limit_s: settings.homingLimitMs / 1000,
      longest_hold_s: LONGEST_HOLD_S,
      ...marks(),
    }),
    health: (waitMs, maxAgeMs) => known.get(waitMs, maxAgeMs).then(shown),
    isUp: () => component.known().status === 'ok',
    open: () => device.open(),
    close: () => device.close(),
  };
}
