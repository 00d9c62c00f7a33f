import type { Clock } from '../../../lib/clock/clock.ts';
import { CodedError } from '../../../lib/errors/coded-error.ts';
import type { Connection, Plugin } from '../../configuration/types.ts';
import type { StepResult } from '../../safe-state/safe-state.ts';
import type { Origin } from '../ports.ts';
import { RigError } from '../rig-error.ts';
import type { ManagedDevice } from './managed-device.ts';

/** Why a device cannot be reached at all, or the slot to reach it by. */
export type DeviceAccess<T> =
  | {
      kind: 'slot';
      slot: ManagedDevice<T>;
      plugin: Plugin;
      endpoint: string;
      path: string | null;
      /** Whether the device is a twin, as far as can be seen now. */
      bench: () => boolean;
    }
  | { kind: 'not_configured' | 'disabled' | 'config_error'; why: string };

type Kind = Connection['type'];

/** Judges one plugin's entry. @param types connection types that this service has a driver for */
export function usable<K extends Kind>(
  plugins: readonly Plugin[],
  id: string,
  types: readonly K[],
):
  | { plugin: Plugin; connection: Extract<Connection, { type: K }> }
  | { kind: 'not_configured' | 'disabled' | 'config_error'; why: string } {
  const plugin = plugins.find((one) => one.id === id);
  if (!plugin) return { kind: 'not_configured', why: `plugin ${id} is not in svc.yaml` };
  if (!plugin.enabled) return { kind: 'disabled', why: `plugins.${id}.enabled is false in svc.yaml` };
  const { connection, fault } = plugin;
  if (!connection) return { kind: 'config_error', why: fault ?? `plugins.${id} cannot be used` };
  if (!(types as readonly Kind[]).includes(connection.type)) {
    const driven = types.length > 0 ? `; it drives ${types.join(', ')}` : '';
    return {
      kind: 'config_error',
      why: `plugins.${id}.connection_type = "${connection.type}": this service has no driver for it${driven}`,
    };
  }
  return { plugin, connection: connection as Extract<Connection, { type: K }> };
}

/** Marks of what a device answers. */
export function originOf<T>(access: DeviceAccess<T>): Origin {
  return {
    mock: false,
    get bench() {
      return access.kind === 'slot' && access.bench();
    },
  };
}

/** Opening and closing of what stands in the slot, if there is one. */
export function slotLife<T>(access: DeviceAccess<T>): { open(): Promise<void>; close(): Promise<void> } {
  return {
    open: async () => {
      if (access.kind === 'slot') await access.slot.start();
    },
    close: async () => {
      if (access.kind === 'slot') await access.slot.close();
    },
  };
}

/** The slot, or the reason as an error. @throws RigError `device_unavailable` */
export function slotOf<T>(access: DeviceAccess<T>, device: string): ManagedDevice<T> {
  if (access.kind === 'slot') return access.slot;
  throw new RigError('device_unavailable', device, access.why);
}

/** Between two commands of a safe state less time passes: these have the line for themselves. */
const PAUSE_MS = 25;
/** Longer than any safe state takes. */
const PATIENCE_MS = 3000;

interface Patience {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads, and reads again behind safe-state commands that interrupted it: that says nothing about the device, and on a
 * shared line the command may even be for another one. Ends with the signal, and `superseded` when they do not end.
 */
export async function behindSafeState<R>(read: () => Promise<R>, { clock, signal }: Patience): Promise<R> {
  const givesUpAt = clock.monotonic() + PATIENCE_MS;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isInterrupted = error instanceof CodedError && error.code === 'superseded';
      if (!isInterrupted || signal?.aborted || clock.monotonic() >= givesUpAt) throw error;
    }
    // The next try answers for a signal that aborts meanwhile.
    await clock.sleep(PAUSE_MS, signal).catch(() => {});
  }
}

/** Reads a device behind any safe-state command. @throws RigError, LockHeldError */
export const readFrom = <T, R>(
  slot: ManagedDevice<T>,
  read: (driver: T) => Promise<R>,
  patience: Patience,
): Promise<R> => behindSafeState(() => slot.use(read), patience);

/**
 * Runs a safe-state step on a device. A device that the rig does not have is `not_configured`; one that it should have
 * but cannot reach fails the step, for its state is unknown.
 */
export async function safeStep<T>(
  access: DeviceAccess<T>,
  device: string,
  signal: AbortSignal,
  task: (driver: T) => Promise<string>,
): Promise<StepResult> {
  if (access.kind === 'not_configured' || access.kind === 'disabled') {
    return { status: 'not_configured', verified: false, detail: access.why };
  }
  const slot = slotOf(access, device);
  try {
    return { status: 'done', verified: true, detail: await slot.useNow(task) };
  } catch (thrown) {
    // Cut off at its cap: the device is asked again, so that its return is noticed and the safe state made up for.
    if (signal.aborted) slot.doubt(thrown);
    throw thrown;
  }
}
