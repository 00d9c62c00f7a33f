import { type TicReport, TicT249 } from '../../../devices/tic/driver.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { openUsbControl } from '../../../transports/index.ts';
import type { LungDevice } from '../rig-device.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, usable } from './access.ts';
import { httpLung } from './http/lung.ts';
import { drivenLung } from './lung.ts';
import { addressAccess } from './managed-access.ts';
import type { Opened } from './managed-device.ts';
import type { OpenDevicesOptions } from './open-devices.ts';
import { TicLung } from './tic-lung.ts';
import { LungRecord } from './tic-lung-record.ts';
import { DEFAULT_LUNG_SETTINGS } from './tic-lung-settings.ts';

const DEVICE = 'lung-motor';

export interface LungAccessOptions extends OpenDevicesOptions {
  record?: LungRecord;
  /** At each opening, when the motor was proven to be without current. */
  onOpened?: (lung: TicLung, report: TicReport) => void;
}

/** The lung as `svc.yaml` has it: through the service that owns it, or by a driver in this process. */
export function realLung(options: OpenDevicesOptions): LungDevice {
  const judged = usable(options.plugins, DEVICE, ['http', 'usb']);
  if ('kind' in judged) return drivenLung(judged, options.clock);
  const { plugin, connection } = judged;
  if (connection.type === 'http') return httpLung({ ...options, plugin, connection });
  return drivenLung(lungAccess(options), options.clock);
}

/** How the Tic is reached by a driver in this process. Each opening halts and de-energizes it. */
export function lungAccess(options: LungAccessOptions): DeviceAccess<TicLung> {
  const { plugins, clock, lung: settings = DEFAULT_LUNG_SETTINGS, record = new LungRecord() } = options;
  const judged = usable(plugins, DEVICE, ['usb']);
  if ('kind' in judged) return judged;
  const { address, serial } = judged.connection;
  // The one before is closed first: both have the same device.
  let closing: Promise<void> = Promise.resolve();
  const open = async (onLost: (cause: unknown) => void): Promise<Opened<TicLung>> => {
    await closing;
    const usb = openUsbControl(address, { clock, ...(serial === null ? {} : { serial }) });
    const tic = new TicT249(usb, { clock, ...settings });
    const report = await tic.open();
    record.mayHaveCurrent = false;
    const driver = new TicLung(tic, {
      clock,
      record,
      onLost: (cause) => {
        if (isGone(cause)) onLost(cause);
        options.onLost(`the lung's motion ended and is not proven to have: ${messageOf(cause)}`);
      },
    });
    options.onOpened?.(driver, report);
    const close = () => {
      closing = tic.close().catch(() => {});
      return closing;
    };
    return { driver, start: async () => {}, probe: () => driver.read(), close };
  };
  return addressAccess(options, DEVICE, judged, address, address, open);
}

const isGone = (cause: unknown) => cause instanceof RigError && cause.code === 'device_unavailable';
