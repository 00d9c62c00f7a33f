import type { Clock } from '../../../lib/clock/clock.ts';
import { CodedError, messageOf } from '../../../lib/errors/coded-error.ts';
import { LockHeldError } from '../../../lib/lock/lock.ts';
import { healthOf } from '../component-health.ts';
import type { Component, ComponentHealth, ComponentStatus } from '../ports.ts';
import { behindSafeState, type DeviceAccess } from './access.ts';

export interface ComponentOptions<T> {
  id: string;
  access: DeviceAccess<T>;
  clock: Clock;
  /** Asks the device itself; resolves to a sentence for people. */
  probe: (driver: T, signal: AbortSignal) => Promise<string>;
  /** Wording of a failure that is this device's own; undefined for the general one. */
  explain?: (error: CodedError) => { code: string; message: string } | undefined;
}

/** Health of one plugin. */
export function realComponent<T>(options: ComponentOptions<T>): Component {
  const { id, access, clock } = options;
  if (access.kind !== 'slot') {
    const status: ComponentStatus = access.kind === 'disabled' ? 'disabled' : 'config_error';
    const health = healthOf(status, access.why, { code: status === 'disabled' ? null : 'config_error' });
    return { id, endpoint: null, path: null, check: async () => health, known: () => health };
  }
  const { slot, endpoint, path, bench } = access;
  return {
    id,
    endpoint,
    path,
    check: async (signal) => {
      const startedAt = clock.monotonic();
      const timed = (health: ComponentHealth) => ({
        ...health,
        latencyMs: clock.monotonic() - startedAt,
        endpoint,
        bench: bench(),
      });
      try {
        const said = await behindSafeState(() => slot.useNow((driver) => options.probe(driver, signal)), {
          clock,
          signal,
        });
        return timed(healthOf('ok', [said, ...(await slot.warnings())].join('; ')));
      } catch (thrown) {
        return timed(failedHealth(thrown, options));
      }
    },
    known: () => {
      if (slot.state === 'ready') return { status: 'ok', message: 'open' };
      return slot.error === undefined
        ? { status: 'error', message: 'not opened yet' }
        : failedHealth(slot.error, options);
    },
  };
}

function failedHealth<T>(thrown: unknown, { explain }: ComponentOptions<T>): ComponentHealth {
  if (thrown instanceof LockHeldError)
    return healthOf('held', thrown.message, { code: thrown.code, holder: thrown.holder });
  if (!(thrown instanceof CodedError))
    return healthOf('error', messageOf(thrown), { code: 'internal_error' });
  const { code, message } = explain?.(thrown) ?? thrown;
  if (thrown.code === 'wrong_device') return healthOf('incompatible', message, { code });
  const silent = thrown.code === 'device_timeout' && code === thrown.code;
  return healthOf(silent ? 'timeout' : 'error', message, { code });
}
