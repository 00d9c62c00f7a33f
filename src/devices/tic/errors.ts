/** Bits of "error status" and "errors occurred" (offsets 02 and 04). */
export const ERROR_BIT = {
  intentionally_deenergized: 0,
  motor_driver_error: 1,
  low_vin: 2,
  kill_switch: 3,
  input_invalid: 4,
  serial_error: 5,
  command_timeout: 6,
  safe_start_violation: 7,
  err_line_high: 8,
  serial_framing: 16,
  serial_overrun: 17,
  serial_format: 18,
  serial_crc: 19,
  encoder_skip: 20,
} as const;

export type TicErrorName = keyof typeof ERROR_BIT;

const NAMES = Object.keys(ERROR_BIT) as TicErrorName[];

/** Names of the bits that are set, lowest first. */
export function errorNames(bits: number): TicErrorName[] {
  return NAMES.filter((name) => bits & (1 << ERROR_BIT[name]));
}

export const errorMask = (...names: TicErrorName[]): number =>
  names.reduce((mask, name) => mask | (1 << ERROR_BIT[name]), 0);

export const STATE = {
  reset: 0,
  deenergized: 2,
  softError: 4,
  waitingForErrLine: 6,
  starting: 8,
  normal: 10,
} as const;

export type TicState = keyof typeof STATE;

const RESETTING = errorMask('motor_driver_error', 'low_vin');
const DEENERGIZED = errorMask('intentionally_deenergized');
const SOFT = errorMask(
  'kill_switch',
  'input_invalid',
  'serial_error',
  'command_timeout',
  'safe_start_violation',
);

/** The state that the errors lead to; without any it is `starting` for a moment and then `normal`. */
export function stateOf(errors: number): Exclude<TicState, 'starting'> {
  if (errors & RESETTING) return 'reset';
  if (errors & DEENERGIZED) return 'deenergized';
  if (errors & SOFT) return 'softError';
  return errors & errorMask('err_line_high') ? 'waitingForErrLine' : 'normal';
}
