import * as z from 'zod';
import { DeviceError } from '../../devices/device-error.ts';
import type { CodedError } from '../../lib/errors/coded-error.ts';
import { HttpError } from '../../lib/http/http-error.ts';
import { isProblemCode } from '../../lib/http/problem-table.ts';

/** Members of an item without a reading. */
export const failedMembers = { code: z.string(), error: z.string() };

/** Statuses that ADC services answer differently from the table: product rule. */
export const ADC_STATUSES = { device_timeout: 503 } as const;

/** Identity of a channel that gave no reading: on the stack its logical one too. */
const identity = z
  .object({
    channel: z.int(),
    input_name: z.string(),
    adapter: z.string(),
    physical_input: z.string(),
    unit: z.literal('V'),
    logical_channel: z.int(),
    logical_name: z.string(),
    nominal_range_volts: z.tuple([z.number(), z.number()]),
    calibration_confirmed: z.literal(false),
  })
  .partial();

/** What an ADC service says in a problem beside the seven members. */
export const adcProblemMembers = {
  device: z.string(),
  endpoint: z.string(),
  ...identity.shape,
  /** Most samples that fit into the time of one request. */
  largest_samples: z.int(),
  /** Of a batch without a single reading. */
  channels: z.array(identity.extend({ ok: z.literal(false), ...failedMembers })),
};

const RETRY_AFTER_S = '1';

/** A device's failure as an answer that names device and endpoint. */
export function deviceProblem(error: CodedError, members: Record<string, unknown> = {}): HttpError {
  const place = error instanceof DeviceError ? { device: error.device, endpoint: error.endpoint } : {};
  return new HttpError(error.code, error.message, {
    members: { ...place, ...members },
    headers: error.code === 'device_busy' ? { 'retry-after': RETRY_AFTER_S } : {},
    cause: error,
  });
}

/** For the kit: errors that drivers threw through a route. */
export function translate(thrown: unknown): unknown {
  return thrown instanceof DeviceError && isAnswerable(thrown) ? deviceProblem(thrown) : thrown;
}

/** Whether a client can be answered with the error: not with a defect, and not after it went away (`aborted`). */
export function isAnswerable(error: CodedError): boolean {
  return error.code !== 'aborted' && isProblemCode(error.code);
}
