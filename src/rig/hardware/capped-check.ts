import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import type { Component, ComponentHealth } from './ports.ts';

export interface CappedCheckOptions {
  clock: Clock;
  limitMs: Milliseconds;
  /** What a probe that did not end in time is. Default: `timeout`, no answer. */
  late?: Pick<ComponentHealth, 'status' | 'code' | 'message'>;
}

/** The live state of a component within a limit, whatever its probe does. Never throws. */
export async function cappedCheck(
  component: Component,
  { clock, limitMs, late }: CappedCheckOptions,
): Promise<ComponentHealth> {
  const stop = new AbortController();
  const startedAt = clock.monotonic();
  const failed = (what: Pick<ComponentHealth, 'status' | 'code' | 'message'>): ComponentHealth => ({
    ...what,
    compatible: false,
    endpoint: component.endpoint,
    latencyMs: clock.monotonic() - startedAt,
    bench: false,
  });
  let cancel = () => {};
  const overdue = new Promise<ComponentHealth>((resolve) => {
    cancel = clock.after(limitMs, () => {
      const silent = {
        status: 'timeout',
        code: 'device_timeout',
        message: `no answer within ${limitMs} ms`,
      } as const;
      resolve(failed(late ?? silent));
      stop.abort(new Error('health probe ended'));
    });
  });
  const checked = component
    .check(stop.signal)
    .catch((thrown: unknown) =>
      failed({ status: 'error', code: 'internal_error', message: messageOf(thrown) }),
    );
  try {
    return await Promise.race([checked, overdue]);
  } finally {
    cancel();
  }
}
