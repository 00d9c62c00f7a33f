import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { isProblemCode, type ProblemCode } from '../../lib/http/problem-table.ts';

/** Fixed sentences: other programs compare them, so no name is put before them. */
const EXACT = new Set(['lung_low_vin', 'lung_limits_blocked']);

/** A device, or the way to it, does not do what was asked. `device` is the plugin id, for example `modbus-io`. */
export class RigError extends CodedError {
  override readonly code: ProblemCode;
  readonly device: string;
  /** What goes into the problem body beside the sentence, for example `data.runtime_status` of the lung. */
  readonly members: Readonly<Record<string, unknown>>;

  /** @param message the device's name is put before it, unless it is there already */
  constructor(
    code: ProblemCode,
    device: string,
    message: string,
    cause?: unknown,
    members: Readonly<Record<string, unknown>> = {},
  ) {
    const isNamed = message.startsWith(`${device}: `) || message.startsWith(`${device} on `);
    super(code, isNamed || EXACT.has(code) ? message : `${device}: ${message}`, { cause });
    this.code = code;
    this.device = device;
    this.members = members;
  }
}

/** What happened to the device, for a sentence that names it already: without the name in front. */
export function withoutName(device: string, thrown: unknown): string {
  const message = messageOf(thrown);
  const prefix = `${device}: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

/** The port is not there or not ours: opening anew may help. */
const UNAVAILABLE = /^(port|transport|bus|bench|i2c)_/;

/** A failure of a driver in the terms of the rig. Defects (errors without a code) pass as they are. */
export function asRigError(thrown: unknown, device: string): unknown {
  if (thrown instanceof RigError || !(thrown instanceof CodedError) || thrown.code === 'held_by_other')
    return thrown;
  return new RigError(codeOf(thrown), device, messageOf(thrown), thrown);
}

function codeOf(thrown: CodedError): ProblemCode {
  if (isProblemCode(thrown.code)) return thrown.code;
  return UNAVAILABLE.test(thrown.code) ? 'device_unavailable' : 'device_error';
}
