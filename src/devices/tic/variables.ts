import { STATE, stateOf, type TicState } from './errors.ts';
import { MAX_SPEED, MIN_ACCELERATION } from './requests.ts';

export const VARIABLES_BYTES = 0x5a;

/** Offsets of the variables that the driver reads and the twin writes. */
export const VARIABLE = {
  state: 0x00,
  flags: 0x01,
  errorStatus: 0x02,
  errorsOccurred: 0x04,
  planningMode: 0x09,
  targetPosition: 0x0a,
  targetVelocity: 0x0e,
  startingSpeed: 0x12,
  maxSpeed: 0x16,
  maxDeceleration: 0x1a,
  maxAcceleration: 0x1e,
  position: 0x22,
  velocity: 0x26,
  actingTarget: 0x2a,
  timeSinceLastStep: 0x2e,
  resetCause: 0x32,
  vinMv: 0x33,
  upTimeMs: 0x35,
  stepMode: 0x49,
  currentCode: 0x4a,
  decayMode: 0x4b,
  inputState: 0x4c,
  inputAfterScaling: 0x51,
  lastDriverError: 0x55,
} as const;

export const FLAG = {
  energized: 1,
  positionUncertain: 2,
  forwardLimit: 4,
  reverseLimit: 8,
  homing: 16,
} as const;

export const PLANNING = { off: 0, position: 1, velocity: 2 } as const;

const LAST_DRIVER_ERROR = ['none', 'over_current', 'over_temperature'] as const;
export type LastDriverError = (typeof LAST_DRIVER_ERROR)[number] | `unknown (${number})`;

/** The variable block as the device gave it. */
export interface TicVariables {
  state: TicState;
  energized: boolean;
  positionUncertain: boolean;
  /** Raw input, whatever the motion. */
  forwardLimit: boolean;
  /** Raw input, whatever the motion. */
  reverseLimit: boolean;
  homing: boolean;
  /** Bits of `ERROR_BIT`, now. */
  errorStatus: number;
  /** Bits of `ERROR_BIT`, since they were last cleared. */
  errorsOccurred: number;
  /** 0 off, 1 position, 2 velocity. */
  planningMode: number;
  /** Microsteps; means something in planning mode 1. */
  targetPosition: number;
  /** 1/10000 step/s; means something in planning mode 2. */
  targetVelocity: number;
  /** 1/10000 step/s */
  startingSpeed: number;
  /** 1/10000 step/s */
  maxSpeed: number;
  /** 1/100 step/s2 */
  maxDeceleration: number;
  /** 1/100 step/s2 */
  maxAcceleration: number;
  /** Microsteps, 32 bit, wraps. */
  position: number;
  /** 1/10000 step/s, negative in reverse. */
  velocity: number;
  vinMv: number;
  /** Since the device started, milliseconds, 32 bit, wraps. */
  upTimeMs: number;
  stepMode: number;
  currentLimitMa: number;
  /** 0 not ready, 1 invalid, 2 halt, 3 position, 4 velocity. */
  inputState: number;
  lastDriverError: LastDriverError;
}

/** Milliampere of one current code. */
export const CURRENT_UNIT_MA = 40;

const STATES = Object.keys(STATE) as TicState[];

/**
 * The 90 bytes from offset 00.
 *
 * @throws RangeError when the block has another length or says what the device cannot mean. USB itself carries a
 *   check sum, so such a block is not a bit error: it is a block of something else, or one taken half-way.
 */
export function decodeVariables(bytes: Uint8Array): TicVariables {
  if (bytes.length !== VARIABLES_BYTES)
    throw new RangeError(`${bytes.length} bytes of variables where ${VARIABLES_BYTES} were asked for`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const byte = (offset: number) => view.getUint8(offset);
  const signed = (offset: number) => view.getInt32(offset, true);
  const unsigned = (offset: number) => view.getUint32(offset, true);
  const state = STATES.find((name) => STATE[name] === byte(VARIABLE.state));
  if (!state) throw new RangeError(`state ${byte(VARIABLE.state)} does not exist`);
  const flags = byte(VARIABLE.flags);
  const driverError = byte(VARIABLE.lastDriverError);
  const variables: TicVariables = {
    state,
    energized: (flags & FLAG.energized) !== 0,
    positionUncertain: (flags & FLAG.positionUncertain) !== 0,
    forwardLimit: (flags & FLAG.forwardLimit) !== 0,
    reverseLimit: (flags & FLAG.reverseLimit) !== 0,
    homing: (flags & FLAG.homing) !== 0,
    errorStatus: view.getUint16(VARIABLE.errorStatus, true),
    errorsOccurred: unsigned(VARIABLE.errorsOccurred),
    planningMode: byte(VARIABLE.planningMode),
    targetPosition: signed(VARIABLE.targetPosition),
    targetVelocity: signed(VARIABLE.targetVelocity),
    startingSpeed: unsigned(VARIABLE.startingSpeed),
    maxSpeed: unsigned(VARIABLE.maxSpeed),
    maxDeceleration: unsigned(VARIABLE.maxDeceleration),
    maxAcceleration: unsigned(VARIABLE.maxAcceleration),
    position: signed(VARIABLE.position),
    velocity: signed(VARIABLE.velocity),
    vinMv: view.getUint16(VARIABLE.vinMv, true),
    upTimeMs: unsigned(VARIABLE.upTimeMs),
    stepMode: byte(VARIABLE.stepMode),
    currentLimitMa: byte(VARIABLE.currentCode) * CURRENT_UNIT_MA,
    inputState: byte(VARIABLE.inputState),
    lastDriverError: LAST_DRIVER_ERROR[driverError] ?? `unknown (${driverError})`,
  };
  const contradiction = contradictionIn(variables);
  if (contradiction) throw new RangeError(contradiction);
  return variables;
}

/** Reserved bits are not looked at: a later firmware may use them. */
function contradictionIn(seen: TicVariables): string | undefined {
  const follows = stateOf(seen.errorStatus);
  const isStarting = seen.state === 'starting' && follows === 'normal';
  if (seen.state !== follows && !isStarting)
    return `state ${seen.state} with error status ${seen.errorStatus}, which leads to ${follows}`;
  const mustBeEnergized = seen.state === 'normal' || seen.state === 'starting';
  const mustBeOff = seen.state === 'reset' || seen.state === 'deenergized';
  if ((mustBeEnergized && !seen.energized) || (mustBeOff && seen.energized))
    return `state ${seen.state} with energized ${seen.energized}`;
  if (seen.planningMode > PLANNING.velocity) return `planning mode ${seen.planningMode}`;
  if (seen.inputState > 4) return `input state ${seen.inputState}`;
  if (seen.maxSpeed > MAX_SPEED || Math.abs(seen.velocity) > MAX_SPEED)
    return `speed ${seen.velocity} of at most ${seen.maxSpeed}, above ${MAX_SPEED}`;
  if (seen.maxAcceleration < MIN_ACCELERATION)
    return `maximum acceleration ${seen.maxAcceleration}, below ${MIN_ACCELERATION}`;
  return undefined;
}
