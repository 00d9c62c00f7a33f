import { CodedError } from '../lib/errors/coded-error.ts';

export type BenchCode =
  | 'bench_pty_failed'
  | 'bench_port_in_use'
  | 'bench_socket_failed'
  | 'device_unknown'
  | 'knob_invalid'
  /** Time cannot be moved so far in one step, or not backwards. */
  | 'step_invalid';

/** What keeps the bench from standing in for devices. */
export class BenchError extends CodedError {
  override readonly code: BenchCode;

  constructor(code: BenchCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
    this.code = code;
  }
}
