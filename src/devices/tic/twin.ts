import type { Clock } from '../../lib/clock/clock.ts';
import type { Random } from '../../lib/random/seeded-random.ts';
import type { Setup } from '../../transports/memory/usb-pipe.ts';
import type { UsbIdentity } from '../../transports/usb/usb-control.ts';
import { Knobs } from '../knobs.ts';
import type { UsbTwin } from '../twin.ts';
import type { TwinListener } from '../twin-event.ts';
import { STATE, stateOf, type TicState } from './errors.ts';
import { faultedData, type TicFault } from './fault.ts';
import { type MotionLimits, pathToPosition, pathToVelocity } from './kinematics.ts';
import { bcdOf, ticKnobs, ticKnobsSchema } from './knobs.ts';
import {
  ACCELERATION_UNITS,
  COMMANDS,
  type Direction,
  MAX_ACCELERATION,
  MAX_READ_BYTES,
  MAX_SPEED,
  MIN_ACCELERATION,
  SPEED_UNITS,
  setupPacket,
  VENDOR_ID,
} from './requests.ts';
import { decodeSettings, SETTING, SETTINGS_BYTES, type TicSettings } from './settings.ts';
import { Axis } from './twin-axis.ts';
import { Conditions, type Surroundings } from './twin-conditions.ts';
import { factorySettings, variableBlock } from './twin-memory.ts';
import { FLAG, PLANNING } from './variables.ts';

const SET_SETTING = 0x13;
const REINITIALIZE = 0x10;
const START_BOOTLOADER = 0xff;

const LIMITS_SINCE = bcdOf('1.06');
const PLAIN_VIN_MV = 24_000;
const HOMING_PAUSE_MS = 20;
const LAST_DRIVER_ERROR = { none: 0, over_current: 1, over_temperature: 2 } as const;
const INPUT_STATE = { none: 0, halt: 2, position: 3, velocity: 4 } as const;

/** What the motor was last told; obeyed while no error is on. Microsteps, or microsteps per second. */
interface Input {
  kind: keyof typeof INPUT_STATE;
  value: number;
}

interface Homing {
  direction: Direction;
  phase: 'towards' | 'waiting' | 'away';
  untilMs: number;
}

/** Numbers that commands change and a restart takes back from the settings; units of the device. */
interface Tuning {
  startingSpeed: number;
  maxSpeed: number;
  maxAcceleration: number;
  maxDeceleration: number;
  stepMode: number;
  currentCode: number;
  decayMode: number;
}

const EMPTY = new Uint8Array();
const signOf = (direction: Direction) => (direction === 'forward' ? 1 : -1);

/**
 * A Tic T249 with a motor and two limit switches (devices.md sections 4, 11). Its motion is a closed form of the
 * clock, so it is exact whenever it is asked; a timer runs only while something can happen by itself. The supply is
 * looked at with each request; `update` looks at it in between.
 */
export class TicTwin implements UsbTwin {
  readonly knobs: Knobs<typeof ticKnobsSchema.shape>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #plantVinMv: () => number;
  readonly #tell: TwinListener;
  #memory = factorySettings();
  #tuning: Tuning;
  #axis: Axis;
  #conditions: Conditions;
  #bootMs: number;
  #atMs: number;
  #state: TicState = 'softError';
  #errors = 0;
  #errorsOccurred = 0;
  #input: Input = { kind: 'none', value: 0 };
  #planning: number = PLANNING.off;
  #uncertain = true;
  #homing: Homing | undefined;
  #lastDriverError = 0;
  #told = '';
  #cancelWake = () => {};
  #once: TicFault[] = [];
  #each: (() => TicFault) | undefined;
  #answerDelayMs = 0;

  constructor(options: {
    clock: Clock;
    random: Random;
    /** Motor supply that the plant gives, mV. */
    vinMv?: () => number;
    listener?: TwinListener;
    knobsChanged?: (patch: Record<string, unknown>) => void;
  }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#plantVinMv = options.vinMv ?? (() => PLAIN_VIN_MV);
    this.#tell = options.listener ?? (() => {});
    this.knobs = new Knobs({
      device: 'tic',
      schema: ticKnobsSchema,
      atRest: ticKnobs(),
      changed: (patch) => {
        this.#knobsChanged();
        options.knobsChanged?.(patch);
      },
    });
    const now = this.#clock.monotonic();
    this.#bootMs = now;
    this.#atMs = now;
    this.#axis = new Axis(now);
    this.#conditions = new Conditions(now);
    this.#tuning = tuningOf(decodeSettings(this.#memory.slice(0, SETTINGS_BYTES)));
    this.#step(now);
    this.#told = this.#summary();
  }

  /** What the device says of itself when it is plugged in. */
  get identity(): Omit<UsbIdentity, 'path'> {
    const { firmware, product_id } = this.knobs.value;
    return { vendorId: VENDOR_ID, productId: product_id, serial: '00330123', bcdDevice: bcdOf(firmware) };
  }

  /** The motor in truth: place of the shaft in microsteps, microsteps per second, current in the coils. */
  get motion(): { position: number; velocity: number; energized: boolean } {
    this.update();
    const { velocity } = this.#axis.state(this.#atMs);
    return { position: Math.round(this.#axis.shaft(this.#atMs)), velocity, energized: this.#isEnergized };
  }

  /** What the device counts, microsteps: differs from the shaft's place after homing or a set position. */
  get counter(): number {
    this.update();
    return this.#counter;
  }

  /** How long the answer to the last request is held back, milliseconds; Infinity when it never comes. */
  get answerDelayMs(): number {
    return this.#answerDelayMs;
  }

  /** Spoils the next transfers, one fault for each. */
  faultOnce(...faults: TicFault[]): void {
    this.#once.push(...faults);
  }

  /** Spoils every transfer as `draw` says, until another source or undefined is given. */
  faultEach(draw: (() => TicFault) | undefined): void {
    this.#each = draw;
  }

  /** The device after its power came back; settings, knobs and faults at rest. */
  reset(): void {
    this.#once = [];
    this.#each = undefined;
    this.#memory = factorySettings();
    this.#restart();
    this.#axis = new Axis(this.#atMs);
    this.#bootMs = this.#atMs;
    this.#errorsOccurred = 0;
    this.#lastDriverError = 0;
    this.knobs.reset();
  }

  /** Lets everything happen that has fallen due, and looks at the supply. */
  update(): void {
    const now = this.#clock.monotonic();
    for (let next = this.#nextMs(); next !== undefined && next <= now; next = this.#nextMs())
      this.#step(next);
    this.#step(now);
    const summary = this.#summary();
    if (summary !== this.#told) {
      this.#told = summary;
      const { velocity } = this.#axis.state(now);
      const position = Math.round(this.#axis.shaft(now));
      this.#tell({ kind: 'motion', position, velocity, energized: this.#isEnergized });
    }
    this.#wake(now);
  }

  control(setup: Setup): Uint8Array | undefined {
    const { length, ...request } = setup;
    const isIn = setup.requestType === 0xc0;
    this.#tell({ kind: 'in', bytes: setupPacket(isIn ? { ...request, length } : request) });
    const fault = this.#once.shift() ?? this.#each?.() ?? {};
    this.#answerDelayMs = fault.silent ? Number.POSITIVE_INFINITY : (fault.late_ms ?? 0);
    if (fault.silent || fault.stall) {
      this.#tell({ kind: 'note', note: fault.silent ? 'not answered' : 'STALL (fault)' });
      return undefined;
    }
    this.update();
    const data = isIn ? this.#read(setup) : this.#command(setup);
    this.update();
    if (!data) this.#tell({ kind: 'note', note: 'STALL' });
    if (!data || !isIn) return data;
    const answer = faultedData(data, fault, this.#random);
    this.#tell({ kind: 'out', bytes: answer });
    return answer;
  }

  #read({ request, index, length }: Setup): Uint8Array | undefined {
    const isSetting = request === COMMANDS.getSetting;
    const isVariable = request === COMMANDS.getVariable || request === COMMANDS.getVariableAndClearErrors;
    if ((!isSetting && !isVariable) || length > MAX_READ_BYTES) return undefined;
    const block = isSetting ? this.#settingBytes() : this.#block();
    if (index + length > block.length) return undefined;
    if (request === COMMANDS.getVariableAndClearErrors) this.#errorsOccurred = 0;
    return block.slice(index, index + length);
  }

  #command({ request, value, index }: Setup): Uint8Array | undefined {
    const now = this.#atMs;
    const wide = (index << 16) | value | 0;
    switch (request) {
      case COMMANDS.setTargetPosition:
        return this.#obeyNew({ kind: 'position', value: wide });
      case COMMANDS.setTargetVelocity:
        return this.#obeyNew({ kind: 'velocity', value: wide / SPEED_UNITS });
      case COMMANDS.haltAndSetPosition:
        this.#halt();
        this.#axis.call(wide, now);
        this.#uncertain = false;
        return EMPTY;
      case COMMANDS.haltAndHold:
        this.#halt();
        this.#uncertain = true;
        return EMPTY;
      case COMMANDS.goHome:
        return this.#goHome(value);
      case COMMANDS.energize:
        this.#conditions.heard(now);
        this.#conditions.energize(true);
        return EMPTY;
      case COMMANDS.deenergize:
        this.#conditions.energize(false);
        return EMPTY;
      case COMMANDS.exitSafeStart:
        this.#conditions.heard(now);
        this.#conditions.exitSafeStart(now);
        return EMPTY;
      case COMMANDS.enterSafeStart:
        this.#conditions.enterSafeStart(now);
        return EMPTY;
      case COMMANDS.resetCommandTimeout:
        this.#conditions.heard(now);
        return EMPTY;
      case COMMANDS.clearDriverError:
        this.#conditions.clearDriverError();
        return EMPTY;
      case COMMANDS.reset:
        this.#restart();
        return EMPTY;
      case SET_SETTING:
        this.#memory[index & 0x7f] = value & 0xff;
        this.#tell({ kind: 'note', note: 'set setting: a service must never do that' });
        return EMPTY;
      case REINITIALIZE:
        this.#tuning = tuningOf(this.#settings());
        this.#tell({ kind: 'note', note: 'reinitialize: a service must never do that' });
        return EMPTY;
      case START_BOOTLOADER:
        this.#tell({ kind: 'note', note: 'start bootloader: a service must never do that' });
        return EMPTY;
      default:
        return this.#tune(request, value, wide >>> 0);
    }
  }

  #tune(request: number, value: number, wide: number): Uint8Array | undefined {
    const tuning = this.#tuning;
    if (request === COMMANDS.setMaxSpeed) tuning.maxSpeed = Math.min(wide, MAX_SPEED);
    else if (request === COMMANDS.setStartingSpeed) tuning.startingSpeed = Math.min(wide, MAX_SPEED);
    else if (request === COMMANDS.setMaxAcceleration) tuning.maxAcceleration = acceleration(wide);
    else if (request === COMMANDS.setMaxDeceleration)
      tuning.maxDeceleration = wide === 0 ? tuning.maxAcceleration : acceleration(wide);
    else if (request === COMMANDS.setStepMode) tuning.stepMode = value;
    else if (request === COMMANDS.setCurrentLimit) tuning.currentCode = value;
    else if (request === COMMANDS.setDecayMode) tuning.decayMode = value;
    else if (request !== COMMANDS.setAgcOption) return undefined;
    if (this.#state === 'normal' && this.#axis.isMoving(this.#atMs)) this.#obey();
    return EMPTY;
  }

  #obeyNew(input: Input): Uint8Array {
    this.#conditions.heard(this.#atMs);
    this.#homing = undefined;
    this.#input = input;
    if (this.#state === 'normal') this.#obey();
    return EMPTY;
  }

  #goHome(value: number): Uint8Array | undefined {
    if (!this.#hasLimits || value > 1) return undefined;
    this.#conditions.heard(this.#atMs);
    this.#input = { kind: 'halt', value: 0 };
    this.#uncertain = true;
    const direction = value === 1 ? 'forward' : 'reverse';
    if (this.#state === 'normal') {
      this.#homing = { direction, phase: 'towards', untilMs: 0 };
      this.#obey();
    }
    return EMPTY;
  }

  /** Halts for a command: whatever was to be done is forgotten. */
  #halt(): void {
    this.#conditions.heard(this.#atMs);
    this.#homing = undefined;
    this.#input = { kind: 'halt', value: 0 };
    this.#axis.halt(this.#atMs);
    this.#planning = PLANNING.off;
  }

  #restart(): void {
    this.#atMs = this.#clock.monotonic();
    this.#axis.halt(this.#atMs);
    this.#conditions = new Conditions(this.#atMs);
    this.#tuning = tuningOf(this.#settings());
    this.#state = 'softError';
    this.#input = { kind: 'none', value: 0 };
    this.#planning = PLANNING.off;
    this.#homing = undefined;
    this.#uncertain = true;
  }

  /** Carries the twin on to `ms`: conditions, state, switches, homing. Does nothing when it is done twice. */
  #step(ms: number): void {
    this.#atMs = ms;
    if (this.knobs.value.driver_error !== 'none')
      this.#lastDriverError = LAST_DRIVER_ERROR[this.knobs.value.driver_error];
    this.#errors = this.#conditions.at(ms, this.#surroundings(), this.#state === 'normal');
    this.#errorsOccurred |= this.#errors;
    const before = this.#state;
    this.#state = stateOf(this.#errors);
    if (this.#state !== before) this.#entered(before);
    if (this.#state === 'normal' && this.#homing) this.#home(this.#homing);
    if (this.#axis.isMoving(ms) && this.#isBlocked(Math.sign(this.#heading(ms)))) {
      this.#axis.halt(ms);
      this.#uncertain = true;
    }
  }

  #entered(before: TicState): void {
    if (this.#state === 'normal') {
      this.#obey();
      return;
    }
    this.#homing = undefined;
    const { softErrorResponse, softErrorPosition } = this.#settings();
    const isOff = this.#state !== 'softError' && this.#state !== 'waitingForErrLine';
    if (isOff || (before === 'normal' && softErrorResponse <= 1)) {
      this.#axis.halt(this.#atMs);
      this.#planning = PLANNING.off;
      this.#uncertain = true;
    } else if (before === 'normal') {
      const state = this.#axis.state(this.#atMs);
      const isGoing = softErrorResponse === 3;
      const path = isGoing
        ? pathToPosition(state, softErrorPosition, this.#limits())
        : pathToVelocity(state, 0, this.#limits());
      this.#planning = isGoing ? PLANNING.position : PLANNING.velocity;
      this.#axis.follow(path, this.#atMs);
    }
  }

  /** Follows the input, or the homing, from here. */
  #obey(): void {
    const now = this.#atMs;
    const state = this.#axis.state(now);
    const homing = this.#homing;
    const velocity = homing ? this.#homingVelocity(homing) : this.#input.value;
    const isPosition = !homing && this.#input.kind === 'position';
    const isVelocity = homing !== undefined || this.#input.kind === 'velocity';
    this.#planning = isPosition ? PLANNING.position : isVelocity ? PLANNING.velocity : PLANNING.off;
    if (this.knobs.value.no_motion || (!isPosition && !isVelocity)) {
      this.#axis.halt(now);
      return;
    }
    // 32 bits wrap: the device takes the shorter way round.
    const counter = Math.round(state.position);
    const target = counter + ((this.#input.value - counter) | 0);
    const path = isPosition
      ? pathToPosition(state, target, this.#limits())
      : pathToVelocity(state, velocity, this.#limits(homing ? Math.abs(velocity) : undefined));
    this.#axis.follow(path, now);
    if (this.#isBlocked(Math.sign(this.#heading(now)))) this.#axis.halt(now);
  }

  #home(homing: Homing): void {
    const isDown = this.#isDown(homing.direction);
    if (homing.phase === 'towards' && isDown) {
      this.#axis.halt(this.#atMs);
      this.#homing = { ...homing, phase: 'waiting', untilMs: this.#atMs + HOMING_PAUSE_MS };
    } else if (homing.phase === 'waiting' && this.#atMs >= homing.untilMs) {
      this.#homing = { ...homing, phase: 'away' };
      this.#obey();
    } else if (homing.phase === 'away' && !isDown) {
      this.#homing = undefined;
      this.#axis.call(0, this.#atMs);
      this.#planning = PLANNING.off;
      this.#uncertain = false;
    }
  }

  #homingVelocity({ direction, phase }: Homing): number {
    const { homingSpeedTowards, homingSpeedAway } = this.#settings();
    if (phase === 'waiting') return 0;
    const speed = phase === 'towards' ? homingSpeedTowards : -homingSpeedAway;
    return (signOf(direction) * speed) / SPEED_UNITS;
  }

  /** Which way it goes, also in the moment it starts. */
  #heading(ms: number): number {
    return this.#axis.isMoving(ms) ? this.#axis.state(ms + 0.01).velocity : 0;
  }

  #isBlocked(sign: number): boolean {
    return (sign > 0 && this.#isDown('forward')) || (sign < 0 && this.#isDown('reverse'));
  }

  #isDown(direction: Direction): boolean {
    if (!this.#hasLimits) return false;
    const knobs = this.knobs.value;
    if (direction === 'forward' ? knobs.forward_limit : knobs.reverse_limit) return true;
    const place = this.#switchPlace(direction);
    return place !== null && signOf(direction) * (this.#axis.shaft(this.#atMs) - place) > -0.5;
  }

  #switchPlace(direction: Direction): number | null {
    return direction === 'forward' ? this.knobs.value.forward_limit_at : this.knobs.value.reverse_limit_at;
  }

  get #hasLimits(): boolean {
    return bcdOf(this.knobs.value.firmware) >= LIMITS_SINCE;
  }

  get #isEnergized(): boolean {
    if (this.#state === 'reset' || this.#state === 'deenergized') return false;
    return this.#state === 'normal' || this.#settings().softErrorResponse !== 0;
  }

  get #counter(): number {
    return Math.round(this.#axis.state(this.#atMs).position);
  }

  #limits(maxSpeed = this.#tuning.maxSpeed / SPEED_UNITS): MotionLimits {
    const { maxAcceleration, maxDeceleration } = this.#tuning;
    return {
      maxSpeed,
      acceleration: maxAcceleration / ACCELERATION_UNITS,
      deceleration: maxDeceleration / ACCELERATION_UNITS,
    };
  }

  /** The next moment at which something happens by itself. */
  #nextMs(): number | undefined {
    const moments = this.#conditions.changesMs(this.#surroundings());
    if (this.#axis.isMoving(this.#atMs)) {
      moments.push(this.#axis.endMs);
      for (const direction of ['forward', 'reverse'] as const) {
        const place = this.#switchPlace(direction);
        if (place === null) continue;
        // A little before the switch changes for good, and a little after it has, so that rounding cannot matter.
        for (const offset of [-0.4, -0.6])
          moments.push(
            this.#axis.passesMs(place + signOf(direction) * offset, this.#atMs) ?? Number.POSITIVE_INFINITY,
          );
      }
    }
    if (this.#homing?.phase === 'waiting') moments.push(this.#homing.untilMs);
    const next = Math.min(...moments.filter((moment) => moment > this.#atMs));
    return Number.isFinite(next) ? next : undefined;
  }

  #wake(now: number): void {
    this.#cancelWake();
    this.#cancelWake = () => {};
    const isIdle = !this.#axis.isMoving(now) && this.#state !== 'normal';
    const next = isIdle ? undefined : this.#nextMs();
    if (next !== undefined) this.#cancelWake = this.#clock.after(next - now, () => this.update());
  }

  #summary(): string {
    const heading = Math.sign(this.#heading(this.#atMs));
    return `${heading} ${this.#isEnergized}`;
  }

  #knobsChanged(): void {
    this.update();
    if (this.#state === 'normal') this.#obey();
    this.update();
  }

  #surroundings(): Surroundings {
    const { vin_mv, kill_switch, driver_error, safe_start, command_timeout_ms } = this.knobs.value;
    const settings = this.#settings();
    return {
      vinMv: vin_mv ?? this.#plantVinMv(),
      killSwitch: kill_switch,
      driverFault: driver_error !== 'none',
      safeStartEnabled: safe_start,
      autoClearDriverError: settings.autoClearDriverError,
      commandTimeoutMs: command_timeout_ms,
      lowVinTimeoutMs: settings.lowVinTimeoutMs,
      lowVinShutoffMv: settings.lowVinShutoffMv,
      lowVinStartupMv: settings.lowVinStartupMv,
    };
  }

  #settingBytes(): Uint8Array {
    const bytes = this.#memory.slice();
    const view = new DataView(bytes.buffer);
    view.setUint8(SETTING.safeStartDisabled, this.knobs.value.safe_start ? 0 : 1);
    view.setUint16(SETTING.commandTimeoutMs, this.knobs.value.command_timeout_ms, true);
    return bytes;
  }

  #settings(): TicSettings {
    return decodeSettings(this.#memory.slice(0, SETTINGS_BYTES));
  }

  #block(): Uint8Array {
    const { velocity } = this.#axis.state(this.#atMs);
    const flags =
      (this.#isEnergized ? FLAG.energized : 0) |
      (this.#uncertain ? FLAG.positionUncertain : 0) |
      (this.#isDown('forward') ? FLAG.forwardLimit : 0) |
      (this.#isDown('reverse') ? FLAG.reverseLimit : 0) |
      (this.#homing ? FLAG.homing : 0);
    return variableBlock({
      ...this.#tuning,
      state: STATE[this.#state],
      flags,
      errorStatus: this.#errors,
      errorsOccurred: this.#errorsOccurred,
      planningMode: this.#planning,
      targetPosition: this.#input.kind === 'position' ? this.#input.value : 0,
      targetVelocity: this.#input.kind === 'velocity' ? Math.round(this.#input.value * SPEED_UNITS) : 0,
      position: this.#counter,
      velocity: Math.round(velocity * SPEED_UNITS),
      vinMv: Math.min(Math.max(0, Math.round(this.#surroundings().vinMv)), 0xffff),
      upTimeMs: Math.floor(this.#atMs - this.#bootMs),
      inputState: INPUT_STATE[this.#input.kind],
      lastDriverError: this.#lastDriverError,
    });
  }
}

const acceleration = (value: number) => Math.min(Math.max(value, MIN_ACCELERATION), MAX_ACCELERATION);

function tuningOf(settings: TicSettings): Tuning {
  return {
    startingSpeed: settings.startingSpeed,
    maxSpeed: settings.maxSpeed,
    maxAcceleration: settings.maxAcceleration,
    maxDeceleration: settings.maxDeceleration === 0 ? settings.maxAcceleration : settings.maxDeceleration,
    stepMode: settings.stepMode,
    currentCode: settings.currentLimitMa / 40,
    decayMode: 0,
  };
}
