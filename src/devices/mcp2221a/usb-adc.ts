import type { ConnectionState } from '../connection.ts';
import type { DeviceError } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';

/** Id used in data. */
export const DEVICE = 'usb-adc-usbhid';

/** Most normal jobs that may wait. */
export const QUEUE_LIMIT = 16;
/** For calls that name no deadline of their own. */
export const DEADLINE_MS = 5000;
/** Readings that one job may take in a row: 0.2 s, so that long series let others in between. */
export const LONGEST_ROW = 100;

/** Inputs G1, G2, G3: pins GP1, GP2, GP3. */
export type AdcChannel = 1 | 2 | 3;
export const CHANNELS: readonly AdcChannel[] = [1, 2, 3];

/** One measured voltage. */
export interface AdcSample {
  channel: AdcChannel;
  /** `G1` .. `G3` */
  inputName: string;
  /** `MCP2221A.G1` .. `MCP2221A.G3` */
  physicalInput: string;
  /** 0..1023 */
  raw10bit: number;
  /** raw x reference / 1024 */
  volts: number;
  referenceVolts: number;
  /** At the end of the range: the true voltage may be beyond it. */
  saturated: boolean;
  /** Whether pin and reference were read back before the sample; never with the kernel's driver in between. */
  verified: boolean;
  /** Wall clock, milliseconds since the Unix epoch. */
  observedAt: number;
}

/** What became of one channel. A failed one has no sample. */
export type AdcOutcome =
  | { ok: true; channel: AdcChannel; sample: AdcSample }
  | { ok: false; channel: AdcChannel; error: DeviceError };

/** What a look at the device for `/health` shows. */
export interface AdcHealth {
  /** Whether pins and reference were read back and are as set. */
  verified: boolean;
  /** What is not as set, one sentence each. */
  faults: string[];
  observedAt: number;
}

/** The USB ADC by whichever way this machine offers. */
export interface UsbAdc {
  readonly state: ConnectionState;
  /** Why it is not open, when it is not. */
  readonly lastFault: DeviceError | undefined;
  readonly referenceVolts: number;
  /** One attempt. @throws DeviceError; nothing goes on in the background then */
  open(): Promise<void>;
  /** Keeps trying to open it in the background, from now to `close()`; also finds it when it is plugged in later. */
  keepOpen(): void;
  close(): Promise<void>;
  /** One input. @throws DeviceError */
  read(channel: AdcChannel, options?: Exchange): Promise<AdcSample>;
  /** All three inputs; each may fail on its own. @throws DeviceError when none could be read */
  readAll(options?: Exchange): Promise<AdcOutcome[]>;
  /** `count` (1..100) readings of all three inputs, one right after the other. @throws DeviceError */
  readMany(count: number, options?: Exchange): Promise<AdcOutcome[][]>;
  /** @throws DeviceError when it does not answer or gives no reading at all */
  verify(options?: Exchange): Promise<AdcHealth>;
}

/** @param raw10bit 0..1023 */
export function sampleOf(
  channel: AdcChannel,
  raw10bit: number,
  at: { referenceVolts: number; verified: boolean; observedAt: number },
): AdcSample {
  const volts = (raw10bit * at.referenceVolts) / 1024;
  const inputName = `G${channel}`;
  const physicalInput = `MCP2221A.${inputName}`;
  return { channel, inputName, physicalInput, raw10bit, volts, saturated: raw10bit === 1023, ...at };
}
