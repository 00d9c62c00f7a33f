import * as z from 'zod';
import { DeviceError } from '../../devices/device-error.ts';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { TransportError } from '../../transports/index.ts';

const marks = {
  /** Wall clock of the last sample, ISO 8601 UTC with milliseconds. */
  observed_at: z.iso.datetime(),
  /** An ADC service never makes values up. */
  simulated: z.literal(false),
  /** The device is a twin. */
  bench: z.boolean(),
};

const volts = {
  /** 6 decimals. */
  volts: z.number(),
  /** 2 decimals. */
  millivolts: z.number(),
  /** How many samples the raw value is the rounded mean of. */
  samples: z.int().min(1),
};

/** A reading of the USB chip. */
export const usbReadingSchema = z.object({
  channel: z.int(),
  input_name: z.string(),
  adapter: z.string(),
  physical_input: z.string(),
  raw_10bit: z.int().min(0).max(1023),
  ...volts,
  reference_volts: z.number(),
  saturated: z.boolean(),
  /** There, and false, when pins and reference cannot be read back (the kernel's IIO driver). */
  verified: z.literal(false).optional(),
  transport: z.literal('hid'),
  endpoint: z.string(),
  ...marks,
});
export type UsbReading = z.output<typeof usbReadingSchema>;

/** A reading of the UART module. */
export const uartReadingSchema = z.object({
  channel: z.int(),
  input_name: z.string(),
  adapter: z.string(),
  physical_input: z.string(),
  raw_hundredth_millivolts: z.int().min(0).max(1_100_000),
  ...volts,
  over_range: z.boolean(),
  /** There, and false, when the module did not show of which input the value is. */
  verified: z.literal(false).optional(),
  transport: z.literal('uart'),
  endpoint: z.string(),
  ...marks,
});
export type UartReading = z.output<typeof uartReadingSchema>;

/** A reading of the remote bank; raw, adc_voltage and age_ms as received. */
export const bankReadingSchema = z.object({
  channel: z.int().min(0).max(2),
  input_name: z.string(),
  adapter: z.literal('bank'),
  physical_input: z.string(),
  raw: z.number().nullable(),
  adc_voltage: z.number().nullable(),
  ...volts,
  age_ms: z.number(),
  transport: z.literal('http'),
  endpoint: z.string(),
  ...marks,
});
export type BankReading = z.output<typeof bankReadingSchema>;

export type Reading = UsbReading | UartReading | BankReading;

/** Volts with 6 and millivolts with 2 decimals. */
export function roundedVolts(value: number): { volts: number; millivolts: number } {
  return { volts: rounded(value, 6), millivolts: rounded(value * 1000, 2) };
}

export function isoTime(wallMs: number): string {
  return new Date(wallMs).toISOString();
}

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** What became of one input. A failed one has no reading. */
export type Outcome<R> = { ok: true; reading: R } | { ok: false; error: CodedError };

/** The same failure for each of `inputs`. @throws what is a defect and no failure of a device */
export function allFailed<R>(thrown: unknown, inputs: readonly unknown[], device: string): Outcome<R>[] {
  const error = asDeviceFailure(thrown, device);
  return inputs.map(() => ({ ok: false, error }));
}

/** A failure with the device's name on it. @throws what is a defect and no failure of a device */
export function asDeviceFailure(thrown: unknown, device: string): CodedError {
  if (thrown instanceof TransportError) {
    const { address: endpoint, code: reason } = thrown;
    const message = `${device}: ${messageOf(thrown)}`;
    return new DeviceError('device_unavailable', message, { device, endpoint, reason, cause: thrown });
  }
  if (thrown instanceof CodedError) return thrown;
  throw thrown;
}

/** The mean of the raw values of one input, and what its samples have reported on the way. */
export class Mean {
  #sum = 0;
  #samples = 0;
  #isAtLimit = false;
  #observedAt = 0;

  /** @param isAtLimit the sample stands at or beyond the end of its range */
  add(raw: number, isAtLimit: boolean, observedAt: number): void {
    this.#sum += raw;
    this.#samples += 1;
    this.#isAtLimit ||= isAtLimit;
    this.#observedAt = observedAt;
  }

  /** Rounded; converted afterwards. @throws RangeError when there is no sample: nothing stands for it */
  get raw(): number {
    if (this.#samples === 0) throw new RangeError('there is no sample to take the mean of');
    return Math.round(this.#sum / this.#samples);
  }

  get samples(): number {
    return this.#samples;
  }

  /** One sample is enough: the mean hides it, and is wrong by an unknown amount. */
  get isAtLimit(): boolean {
    return this.#isAtLimit;
  }

  /** Wall clock of the last sample. */
  get observedAt(): number {
    return this.#observedAt;
  }
}
