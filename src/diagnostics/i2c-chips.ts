import { systemClock } from '../lib/clock/clock.ts';
import { messageOf } from '../lib/errors/coded-error.ts';
import { acquireLock } from '../lib/lock/lock.ts';
import { i2cLockKey } from '../lib/lock/lock-key.ts';
import { LinuxI2cBus } from '../transports/i2c/linux-i2c-bus.ts';
import type { HostReport } from './detect.ts';
import { type FailedPart, failed, type Json } from './firmware-report.ts';

export interface I2cChips {
  bus: number;
  path: string;
  chips: { address: string; name: string }[];
  /** Why the chips are not known; null where they are. */
  error: string | null;
}

const IDENTITY = { service: 'svc-diag', pid: process.pid, port: null, since: new Date().toISOString() };
/** Addresses that an ADS1115 can have. */
const ADDRESSES = [0x48, 0x49, 0x4a, 0x4b];

/**
 * The chips on each bus: from the bridge where it answers, else by a read of one byte from the addresses of the sensor ADC, under
 * the lock of the chip, so that no service is disturbed.
 */
export async function i2cChips(host: HostReport, identify: Json | FailedPart): Promise<I2cChips[]> {
  return Promise.all(
    host.i2c_buses.map(async ({ bus, path }): Promise<I2cChips> => {
      if (!failed(identify)) return { bus, path, chips: chipsBehindBridge(identify, path), error: null };
      try {
        return { bus, path, chips: await chipsThatAnswer(path), error: null };
      } catch (cause) {
        return { bus, path, chips: [], error: messageOf(cause) };
      }
    }),
  );
}

function chipsBehindBridge({ adapters, diagnostics }: Json, path: string): I2cChips['chips'] {
  const components = (((diagnostics as Json | undefined)?.health as Json | undefined)?.components ??
    {}) as Record<string, Json>;
  return ((adapters ?? []) as Json[]).flatMap(({ id, name, protocol }) => {
    const { status, endpoint } = components[String(id)] ?? {};
    const [place, address] = String(endpoint ?? '').split('#');
    return protocol === 'i2c' && status === 'ok' && place === path && address
      ? [{ address, name: String(name) }]
      : [];
  });
}

async function chipsThatAnswer(path: string): Promise<I2cChips['chips']> {
  const bus = new LinuxI2cBus({ address: path, path, clock: systemClock });
  const chips: I2cChips['chips'] = [];
  try {
    for (const address of ADDRESSES) {
      const lock = await acquireLock({ key: i2cLockKey(path, address), identity: () => IDENTITY });
      try {
        await bus.transfer(address, new Uint8Array(), 1);
        chips.push({ address: `0x${address.toString(16)}`, name: 'answers like an ADS1115' });
      } catch (fault) {
        if ((fault as { code?: string }).code !== 'i2c_nack') throw fault;
      } finally {
        await lock.release();
      }
    }
  } finally {
    await bus.close();
  }
  return chips;
}
