import type { LockHolder } from '../../lib/lock/lock.ts';
import type { Milliseconds, Percent, Seconds } from '../../lib/quantity.ts';
import type { HardwareMode } from '../configuration/types.ts';
import type { SafeStateSteps } from '../safe-state/safe-state.ts';

/** Where an answer comes from. A simulated or bench value is never shown without its mark. */
export interface Origin {
  /** From the in-process plant: no device was touched. */
  mock: boolean;
  /** From a twin behind a real transport. */
  bench: boolean;
}

export const VALVES_PER_BOARD = 8;

/** The outputs of the valve boards, eight on each. Coil 0 is valve-1, coil 8 is the first of the second board. */
export interface ValvePort {
  readonly origin: Origin;
  /** Resolves only when the device confirmed the new state by its echo and a read-back. Sent once. @throws RigError */
  set(coil: number, open: boolean, signal?: AbortSignal): Promise<{ verified: boolean }>;
  /** State of all, open = true; undefined for those of a board that is left out (`enabled: false`). @throws RigError */
  read(signal?: AbortSignal): Promise<(boolean | undefined)[]>;
  /**
   * The same of the eight of one board.
   * @param board 0 is the first
   * @param options.withinMs something of it is on: a lost reply is made up for at once, within so many milliseconds
   * @throws RigError
   */
  readBoard(
    board: number,
    options?: { withinMs?: Milliseconds | undefined; signal?: AbortSignal | undefined },
  ): Promise<(boolean | undefined)[]>;
}

export interface PumpReading {
  powerPercent: Percent;
  /** 0..255 */
  duty: number;
  enabled: boolean;
  /** Null when the device does not report. */
  frequencyHz: number | null;
  verified: boolean;
  /** Version of the device itself, when it reports one. */
  version?: string | null;
}

export interface PumpPort {
  readonly origin: Origin;
  /** @param percent 0..100; 0 stops. Sent once. @throws RigError */
  setPower(percent: Percent, signal?: AbortSignal): Promise<PumpReading>;
  /** @throws RigError */
  read(signal?: AbortSignal): Promise<PumpReading>;
}

export interface LungMotion {
  /** 1..1000000 */
  steps: number;
  /** 1/10000 step/s, 1..500000000 */
  speed: number;
  /** 1..10000; a cycle is a stroke out and one back. */
  cycles: number;
  /** Seconds at each turn, 0..60. */
  pauseS: Seconds;
  /** Of the stroke out; default `forward`. */
  direction?: LungDirection;
  /** What a limit switch does: end the stroke early (default) or the run. */
  limitMode?: 'reverse_on_limit' | 'stop';
}

export type LungDirection = 'forward' | 'reverse';

/** Unknown is null. */
export interface LungStatus {
  connected: boolean;
  energized: boolean;
  /** It makes steps, or a run of strokes is under way. */
  moving: boolean;
  /** Microsteps from the zero of the device. */
  position: number | null;
  positionUncertain: boolean | null;
  forwardLimitActive: boolean | null;
  reverseLimitActive: boolean | null;
  lowVin: boolean | null;
  vinMv: number | null;
  motorDriverError: boolean | null;
  lastMotionError: string | null;
  cyclesDone: number;
  cyclesTotal: number;
  /** What is wrong now; null when nothing is. */
  error: string | null;
}

export interface LungPort {
  readonly origin: Origin;
  /** Sent once. @throws RigError */
  start(motion: LungMotion, signal?: AbortSignal): Promise<LungStatus>;
  /** Halts at once. @throws RigError */
  stop(signal?: AbortSignal): Promise<LungStatus>;
  /** De-energizes the coils. @throws RigError */
  disable(signal?: AbortSignal): Promise<LungStatus>;
  /** @throws RigError */
  read(signal?: AbortSignal): Promise<LungStatus>;
}

/** One raw reading of a sensor. */
export interface SensorReading {
  value: number;
  /** Of the value: `V` of a voltage input, else the unit that the device measures in, for example `l/min`. */
  unit: string;
  /** Count of a converter; null where there is none. */
  raw: number | null;
  /** At the end of the range: the true value may lie beyond. */
  saturated: boolean;
  /** Wall clock, milliseconds. */
  observedAt: number;
  adapter: string;
  physicalInput: string;
  source: string;
  /** From a twin; without it the port's origin decides. */
  bench?: boolean;
  /** Age at this answer, milliseconds, when it is known better than by the wall clock. */
  ageMs?: Milliseconds;
  /** False when the source could not verify of which input, or against which reference, the value is. */
  verified?: false;
  /** False while the pressure calibration is not confirmed for the source of this input. */
  calibrationConfirmed?: false;
}

/** The voltage inputs. */
export interface VoltagePort {
  readonly origin: Origin;
  /** @param input 0..3. @throws RigError */
  read(input: number, signal?: AbortSignal): Promise<SensorReading>;
}

/** One sensor. */
export interface SensorPort {
  readonly origin: Origin;
  /** Of all its readings. */
  readonly unit: string;
  /** @throws RigError */
  read(signal?: AbortSignal): Promise<SensorReading>;
}

/** The sensors of a rig by their ids. */
export type SensorPorts = ReadonlyMap<string, SensorPort>;

export type ComponentStatus =
  | 'ok'
  | 'error'
  | 'timeout'
  | 'held'
  | 'disabled'
  | 'config_error'
  | 'incompatible'
  | 'mock';

/** One entry of `components`. */
export interface ComponentHealth {
  status: ComponentStatus;
  compatible: boolean;
  code: string | null;
  message: string;
  endpoint: string | null;
  latencyMs: Milliseconds;
  bench: boolean;
  holder?: LockHolder | null;
  /** Version of the device itself, when it reports one. */
  version?: string;
  /** Of a plugin that has several devices behind it: how each of them stands. */
  components?: Readonly<Record<string, unknown>>;
  /** I2C chip that answered. */
  chip?: { bus: number; address: string; name: string };
}

/** A configured plugin, as health and identify see it. */
export interface Component {
  readonly id: string;
  /** Where the device is, for people; null when it has no place. */
  readonly endpoint: string | null;
  /** File in the file system that stands for the device, to check whether it is there. */
  readonly path: string | null;
  /** Live probe. Never throws; ends soon after the signal aborts. */
  check(signal: AbortSignal): Promise<ComponentHealth>;
  /** What is known without touching the device. */
  known(): Pick<ComponentHealth, 'status' | 'message'>;
}

/** The rig's hardware behind one face, simulated or real. */
export interface Rig {
  readonly mode: HardwareMode;
  readonly valves: ValvePort;
  readonly pump: PumpPort;
  readonly lung: LungPort;
  readonly sensors: SensorPorts;
  readonly components: readonly Component[];
  readonly safeStateSteps: SafeStateSteps;
  /** True when any configured device is a twin. */
  readonly bench: boolean;
  /** Opens what can be opened; an absent or held device does not fail the start but is tried again. */
  open(): Promise<void>;
  close(): Promise<void>;
}
