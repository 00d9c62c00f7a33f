/** Status and title of every error code. The only place where they meet. */
const PROBLEMS = {
  invalid_json: [400, 'Invalid JSON'],
  invalid_request: [400, 'Invalid request'],
  unauthorized: [401, 'Unauthorized'],
  origin_refused: [403, 'Origin refused'],
  host_refused: [403, 'Host refused'],
  not_found: [404, 'Not found'],
  unknown_scenario: [404, 'Unknown scenario'],
  unknown_run: [404, 'Unknown run'],
  unknown_version: [404, 'Unknown version'],
  unknown_prompt: [404, 'Unknown prompt'],
  method_not_allowed: [405, 'Method not allowed'],
  held_by_other: [409, 'Held by another owner'],
  held_by_bridge: [409, 'Held by a bridge'],
  lease_held: [409, 'Lease held'],
  lease_required: [409, 'Lease required'],
  lease_lost: [409, 'Lease lost'],
  interlock: [409, 'Interlock'],
  operator_stop: [409, 'Operator stop'],
  safe_state_in_progress: [409, 'Safe state in progress'],
  superseded: [409, 'Superseded'],
  driver_owned: [409, 'Owned by a driver'],
  run_active: [409, 'Run active'],
  run_finished: [409, 'Run finished'],
  run_not_finished: [409, 'Run not finished'],
  prompt_closed: [409, 'Prompt closed'],
  lung_moving: [409, 'Lung moving'],
  lease_gone: [410, 'Lease gone'],
  scenario_differs: [409, 'Scenario differs'],
  scenario_changed: [412, 'Scenario changed'],
  payload_too_large: [413, 'Payload too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  invalid_channel: [422, 'Invalid channel'],
  invalid_parameter: [422, 'Invalid parameter'],
  invalid_scenario: [422, 'Invalid scenario'],
  value_out_of_range: [422, 'Value out of range'],
  knob_invalid: [422, 'Invalid twin setting'],
  sample_budget_exceeded: [422, 'Sample budget exceeded'],
  unknown_sensor: [422, 'Unknown sensor'],
  unknown_valve: [422, 'Unknown valve'],
  internal_error: [500, 'Internal error'],
  device_unavailable: [503, 'Device unavailable'],
  device_error: [503, 'Device error'],
  device_busy: [503, 'Device busy'],
  aborted: [503, 'Aborted'],
  corrupt_response: [503, 'Corrupt response'],
  modbus_exception: [503, 'Modbus exception'],
  setting_refused: [503, 'Device setting refused'],
  adc_config_not_applied: [503, 'ADC configuration not applied'],
  adc_foreign_config: [503, 'ADC configured by another program'],
  i2c_bus_stuck: [503, 'I2C bus stuck'],
  wrong_device: [503, 'Wrong device'],
  undervoltage: [503, 'Under-voltage'],
  valve_unverified: [503, 'Valve unverified'],
  pump_unverified: [503, 'Pump unverified'],
  valve_mode_not_normal: [503, 'Valve mode not normal'],
  lung_start_failed: [503, 'Lung start failed'],
  lung_limits_blocked: [503, 'Lung start failed'],
  lung_low_vin: [503, 'Lung start failed'],
  sensor_source_simulated: [503, 'Sensor source simulated'],
  safe_state_incomplete: [503, 'Safe state incomplete'],
  not_safe: [503, 'Not safe'],
  not_done: [503, 'Not done'],
  overloaded: [503, 'Overloaded'],
  bank_unreachable: [503, 'Bank unreachable'],
  bank_sample_missing: [503, 'Bank sample missing'],
  bank_identity_mismatch: [503, 'Bank identity mismatch'],
  bank_sample_stale: [503, 'Bank sample stale'],
  bank_saturated: [503, 'Bank saturated'],
  bank_out_of_range: [503, 'Bank out of range'],
  device_timeout: [504, 'Device timeout'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

/**
 * A code of the HTTP contract. Errors whose codes reach clients are typed by it, so that one without a row does not
 * compile.
 */
export type ProblemCode = keyof typeof PROBLEMS;

export const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

export interface ProblemKind {
  status: number;
  title: string;
}

/**
 * Status and title of a code; undefined for a code that is not part of the HTTP contract.
 * @param overrides statuses that one service answers differently, for example `device_timeout` 503 on the ADC services
 */
export function problemKind(code: ProblemCode, overrides?: Readonly<Record<string, number>>): ProblemKind;
export function problemKind(
  code: string,
  overrides?: Readonly<Record<string, number>>,
): ProblemKind | undefined;
export function problemKind(
  code: string,
  overrides: Readonly<Record<string, number>> = {},
): ProblemKind | undefined {
  if (!isProblemCode(code)) return undefined;
  const [status, title] = PROBLEMS[code];
  return { status: overrides[code] ?? status, title };
}

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);
