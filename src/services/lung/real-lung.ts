import type { TicReport } from '../../devices/tic/driver.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import type { Plugin } from '../../lib/config/types.ts';
import type { LockHolder } from '../../lib/lock/lock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { cappedCheck } from '../../rig/hardware/capped-check.ts';
import { drivenLung, withRuntimeStatus } from '../../rig/hardware/real/lung.ts';
import { lungAccess } from '../../rig/hardware/real/open-lung.ts';
import type { TicLung } from '../../rig/hardware/real/tic-lung.ts';
import { LungRecord } from '../../rig/hardware/real/tic-lung-record.ts';
import type { LungSettings } from '../../rig/hardware/real/tic-lung-settings.ts';
import type { LungHealth } from './health.ts';
import type { OwnedLung } from './owned-lung.ts';
import { differencesData, LONGEST_HOLD_S, settingsData } from './settings.ts';

/** Longest probe of /health. */
const HEALTH_LIMIT_MS = 2400;

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
  let report: TicReport | undefined;
  let driver: TicLung | undefined;
  const access = lungAccess({
    ...options,
    plugins: [plugin],
    clock,
    settings,
    record,
    onReturn: () => logger.info('the lung motor answers again'),
    onOpened: (lung, found) => {
      driver = lung;
      report = found;
      logger.info(
        `${found.product} ${found.serial ?? ''} with firmware ${found.firmware}, halted and de-energized`,
      );
      for (const { setting, wanted, actual } of found.differences)
        logger.warn(`setting ${setting} of the Tic is ${String(actual)}, ${String(wanted)} is wanted`);
    },
  });
  const device = drivenLung(access, clock);
  const { port, component } = device;
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
      product: report?.product ?? null,
      firmware: report?.firmware ?? null,
      serial: report?.serial ?? null,
      settings: report ? settingsData(report.settings) : null,
      differences: differencesData(report?.differences ?? []),
      observed_at: report ? new Date(report.observedAt).toISOString() : null,
      min_vin_v: settings.minVinV,
      homing_limit_s: settings.homingLimitMs / 1000,
      longest_hold_s: LONGEST_HOLD_S,
      ...marks(),
    }),
    health: async () => {
      const { status, code, message, endpoint, holder } = await cappedCheck(component, {
        clock,
        limitMs: HEALTH_LIMIT_MS,
      });
      const isOk = status === 'ok';
      return {
        ok: isOk,
        status: status === 'mock' ? 'error' : status,
        code,
        message,
        driver: 'Tic T249',
        identified: isOk,
        address: endpoint,
        firmware: report?.firmware ?? null,
        serial: report?.serial ?? null,
        differences: differencesData(report?.differences ?? []),
        mock_mode: false,
        simulated: false,
        bench: port.origin.bench,
        ...(holder === undefined ? {} : { holder }),
      } satisfies LungHealth;
    },
    isUp: () => component.known().status === 'ok',
    open: () => device.open(),
    close: () => device.close(),
  };
}
