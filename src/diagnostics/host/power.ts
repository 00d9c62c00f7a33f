import { execFile } from 'node:child_process';
import type { HostRoot } from './host-root.ts';

/** Supply of the machine. Null where no source reports it. */
export interface PowerReport {
  source: 'vcgencmd' | 'sysfs' | 'hwmon' | null;
  undervoltage_now: boolean | null;
  undervoltage_since_boot: boolean | null;
  /** Why no source reports; null where one does. */
  reason: string | null;
}

const LIMIT_MS = 1000;

/** `throttled=0x50005` of `vcgencmd get_throttled`; undefined where it fails. */
export type ReadThrottled = () => Promise<string | undefined>;

export const runVcgencmd: ReadThrottled = () =>
  new Promise((resolve) => {
    execFile('vcgencmd', ['get_throttled'], { timeout: LIMIT_MS }, (error, stdout) =>
      resolve(error ? undefined : stdout),
    );
  });

const FIRMWARE = '/sys/devices/platform/soc/soc:firmware/get_throttled';

/**
 * Bits 0 and 16 of the firmware, by `vcgencmd` or by the attribute of its driver; without them the driver `rpi_volt` of hwmon, which
 * reports the last 2 s alone.
 */
export async function readPower(host: HostRoot, vcgencmd: ReadThrottled = runVcgencmd): Promise<PowerReport> {
  // Another machine's supply cannot be asked from here.
  const said = host.root === '/' ? bitsOf(await vcgencmd()) : undefined;
  const bits = said ?? bitsOf(host.read(FIRMWARE));
  if (bits !== undefined)
    return {
      source: said === undefined ? 'sysfs' : 'vcgencmd',
      undervoltage_now: (bits & 1) !== 0,
      undervoltage_since_boot: (bits & (1 << 16)) !== 0,
      reason: null,
    };
  const base = '/sys/class/hwmon';
  const name = (host.list(base) ?? []).find((one) => host.read(`${base}/${one}/name`)?.trim() === 'rpi_volt');
  const alarm = name === undefined ? undefined : host.read(`${base}/${name}/in0_lcrit_alarm`)?.trim();
  if (alarm === '0' || alarm === '1')
    return { source: 'hwmon', undervoltage_now: alarm === '1', undervoltage_since_boot: null, reason: null };
  return {
    source: null,
    undervoltage_now: null,
    undervoltage_since_boot: null,
    reason: 'neither vcgencmd nor hwmon rpi_volt reports the supply',
  };
}

/** `throttled=0x50005` or `50005`. */
function bitsOf(text: string | undefined): number | undefined {
  const hex = /^(?:throttled=0x)?([0-9a-fA-F]+)\s*$/.exec(text ?? '')?.[1];
  return hex === undefined ? undefined : Number.parseInt(hex, 16);
}
