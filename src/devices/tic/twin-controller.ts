import type * as z from 'zod';
import { STATE, stateOf, type TicState } from './errors.ts';
import { type MotionLimits, pathToPosition, pathToVelocity } from './kinematics.ts';
import type { ticKnobsSchema } from './knobs.ts';
import { ACCELERATION_UNITS, type Direction, SPEED_UNITS } from './requests.ts';
import type { TicSettings } from './settings.ts';
import { Axis } from './twin-axis.ts';
import { Conditions, type Surroundings } from './twin-conditions.ts';
import { type Tuning, tuningOf, variableBlock } from './twin-memory.ts';
import { Switches, signOf } from './twin-switches.ts';
import { FLAG, PLANNING } from './variables.ts';

const HOMING_PAUSE_MS = 20;
const LAST_DRIVER_ERROR = { none: 0, over_current: 1, over_temperature: 2 } as const;
const INPUT_STATE = { none: 0, halt: 2, position: 3, velocity: 4 } as const;

/** What the motor was last told; obeyed while no error is on. Microsteps, or microsteps per second. */
export interface Input {
  kind: keyof typeof INPUT_STATE;
  value: number;
}

interface Homing {
  direction: Direction;
  phase: 'towards' | 'waiting' | 'away';
  untilMs: number;
}

/** What the controller finds around itself. */
export interface World {
  settings(): TicSettings;
  knobs(): z.output<typeof ticKnobsSchema>;
  vinMv(): number;
}

/**
 * The twin's firmware: errors, state, motion, switches and homing. It is carried from event to event, so that every
 * moment is exact, however seldom it is asked; all times are monotonic milliseconds.
 */
export class Controller {
  readonly #world: World;
  readonly #switches: Switches;
  #axis: Axis;
  #conditions: Conditions;
  #tuning: Tuning;
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

  constructor(world: World, nowMs: number) {
    this.#world = world;
    this.#switches = new Switches(() => world.knobs());
    this.#bootMs = nowMs;
    this.#atMs = nowMs;
    this.#axis = new Axis(nowMs);
    this.#conditions = new Conditions(nowMs);
    this.#tuning = tuningOf(world.settings());
    this.#step(nowMs);
  }

  /** Conditions that commands change directly; `catchUp` makes them felt. */
  get conditions(): Conditions {
    return this.#conditions;
  }

  get isEnergized(): boolean {
    if (this.#state === 'reset' || this.#state === 'deenergized') return false;
    return this.#state === 'normal' || this.#world.settings().softErrorResponse !== 0;
  }

  /** What the device counts, microsteps. */
  get counter(): number {
    return Math.round(this.#axis.state(this.#atMs).position);
  }

  /** Where the motor is, microsteps. */
  get shaft(): number {
    return Math.round(this.#axis.shaft(this.#atMs));
  }

  /** Microsteps per second. */
  get velocity(): number {
    return this.#axis.state(this.#atMs).velocity;
  }

  /** -1, 0 or 1; not 0 already in the moment a motion begins. */
  get heading(): number {
    if (!this.#axis.isMoving(this.#atMs)) return 0;
    return Math.sign(this.#axis.state(this.#atMs + 0.01).velocity);
  }

  /** Lets everything happen that has fallen due. */
  catchUp(nowMs: number): void {
    for (let next = this.#nextMs(); next !== undefined && next <= nowMs; next = this.#nextMs())
      this.#step(next);
    this.#step(nowMs);
  }

  /** The next moment at which motion or current may change by itself; undefined when nothing is under way. */
  get dueMs(): number | undefined {
    const isIdle = !this.#axis.isMoving(this.#atMs) && this.#state !== 'normal';
    return isIdle ? undefined : this.#nextMs();
  }

  /** A new target takes the place of the one before and of a homing. */
  follow(input: Input): void {
    this.#conditions.heard(this.#atMs);
    this.#homing = undefined;
    this.#input = input;
    this.obey();
  }

  /** Stops at once and forgets what was to be done. @param counter what to call the place */
  halt(counter?: number): void {
    this.#conditions.heard(this.#atMs);
    this.#homing = undefined;
    this.#input = { kind: 'halt', value: 0 };
    this.#planning = PLANNING.off;
    this.#uncertain = counter === undefined;
    if (counter === undefined) this.#axis.halt(this.#atMs);
    else this.#axis.call(counter, this.#atMs);
  }

  /** @returns false when the firmware has no homing */
  goHome(direction: Direction): boolean {
    if (!this.#switches.areKnown) return false;
    this.#conditions.heard(this.#atMs);
    this.#input = { kind: 'halt', value: 0 };
    this.#uncertain = true;
    if (this.#state === 'normal') {
      this.#homing = { direction, phase: 'towards', untilMs: 0 };
      this.obey();
    }
    return true;
  }

  /** Changes a number of the motion; a motion under way goes on with it. */
  tune(change: Partial<Tuning>): void {
    Object.assign(this.#tuning, change);
    if (this.#axis.isMoving(this.#atMs)) this.obey();
  }

  get tuning(): Readonly<Tuning> {
    return this.#tuning;
  }

  /** As after a reset command: everything but the place and the clock is as after power-up. */
  restart(): void {
    this.#axis.halt(this.#atMs);
    this.#conditions = new Conditions(this.#atMs);
    this.#tuning = tuningOf(this.#world.settings());
    this.#state = 'softError';
    this.#input = { kind: 'none', value: 0 };
    this.#planning = PLANNING.off;
    this.#homing = undefined;
    this.#uncertain = true;
  }

  clearErrorsOccurred(): void {
    this.#errorsOccurred = 0;
  }

  /** Follows the input, or the homing, from here; only in the state `normal`. */
  obey(): void {
    if (this.#state !== 'normal') return;
    const now = this.#atMs;
    const state = this.#axis.state(now);
    const homing = this.#homing;
    const { kind, value } = this.#input;
    const isPosition = !homing && kind === 'position';
    const isVelocity = homing !== undefined || kind === 'velocity';
    this.#planning = isPosition ? PLANNING.position : isVelocity ? PLANNING.velocity : PLANNING.off;
    if (this.#world.knobs().no_motion || (!isPosition && !isVelocity)) {
      this.#axis.halt(now);
      return;
    }
    if (isPosition) {
      // 32 bits wrap: the device takes the shorter way round.
      const counter = Math.round(state.position);
      const target = counter + ((value - counter) | 0);
      this.#axis.follow(pathToPosition(state, target, this.#limits()), now);
    } else {
      const velocity = homing ? this.#homingVelocity(homing) : value;
      const limits = this.#limits(homing ? Math.abs(velocity) : undefined);
      this.#axis.follow(pathToVelocity(state, velocity, limits), now);
    }
    if (this.#isBlocked()) this.#axis.halt(now);
  }

  /** The 90 bytes of variables. */
  block(): Uint8Array {
    const flags =
      (this.isEnergized ? FLAG.energized : 0) |
      (this.#uncertain ? FLAG.positionUncertain : 0) |
      (this.#isDown('forward') ? FLAG.forwardLimit : 0) |
      (this.#isDown('reverse') ? FLAG.reverseLimit : 0) |
      (this.#homing ? FLAG.homing : 0);
    const { kind, value } = this.#input;
    return variableBlock({
      ...this.#tuning,
      state: STATE[this.#state],
      flags,
      errorStatus: this.#errors,
      errorsOccurred: this.#errorsOccurred,
      planningMode: this.#planning,
      targetPosition: kind === 'position' ? value : 0,
      targetVelocity: kind === 'velocity' ? Math.round(value * SPEED_UNITS) : 0,
      position: this.counter,
      velocity: Math.round(this.velocity * SPEED_UNITS),
      vinMv: Math.min(Math.max(0, Math.round(this.#world.vinMv())), 0xffff),
      upTimeMs: Math.floor(this.#atMs - this.#bootMs),
      inputState: INPUT_STATE[kind],
      lastDriverError: this.#lastDriverError,
    });
  }

  /** Conditions, state, homing and switches at `ms`. Does nothing when it is done twice. */
  #step(ms: number): void {
    this.#atMs = ms;
    const fault = this.#world.knobs().driver_error;
    if (fault !== 'none') this.#lastDriverError = LAST_DRIVER_ERROR[fault];
    this.#errors = this.#conditions.at(ms, this.#surroundings(), this.#state === 'normal');
    this.#errorsOccurred |= this.#errors;
    const before = this.#state;
    this.#state = stateOf(this.#errors);
    if (this.#state !== before) this.#entered(before);
    if (this.#state === 'normal' && this.#homing) this.#home(this.#homing);
    if (this.#isBlocked()) {
      this.#axis.halt(ms);
      this.#uncertain = true;
    }
  }

  #entered(before: TicState): void {
    if (this.#state === 'normal') {
      this.obey();
      return;
    }
    this.#homing = undefined;
    const { softErrorResponse, softErrorPosition } = this.#world.settings();
    const isOff = this.#state === 'reset' || this.#state === 'deenergized';
    if (isOff || (before === 'normal' && softErrorResponse <= 1)) {
      this.#axis.halt(this.#atMs);
      this.#planning = PLANNING.off;
      this.#uncertain = true;
    } else if (before === 'normal') {
      const state = this.#axis.state(this.#atMs);
      const isGoing = softErrorResponse === 3;
      this.#planning = isGoing ? PLANNING.position : PLANNING.velocity;
      const path = isGoing
        ? pathToPosition(state, softErrorPosition, this.#limits())
        : pathToVelocity(state, 0, this.#limits());
      this.#axis.follow(path, this.#atMs);
    }
  }

  #home(homing: Homing): void {
    const isDown = this.#isDown(homing.direction);
    if (homing.phase === 'towards' && isDown) {
      this.#axis.halt(this.#atMs);
      this.#homing = { ...homing, phase: 'waiting', untilMs: this.#atMs + HOMING_PAUSE_MS };
    } else if (homing.phase === 'waiting' && this.#atMs >= homing.untilMs) {
      this.#homing = { ...homing, phase: 'away' };
      this.obey();
    } else if (homing.phase === 'away' && !isDown) {
      this.#homing = undefined;
      this.#axis.call(0, this.#atMs);
      this.#planning = PLANNING.off;
      this.#uncertain = false;
    }
  }

  #homingVelocity({ direction, phase }: Homing): number {
    const { homingSpeedTowards, homingSpeedAway } = this.#world.settings();
    if (phase === 'waiting') return 0;
    const speed = phase === 'towards' ? homingSpeedTowards : -homingSpeedAway;
    return (signOf(direction) * speed) / SPEED_UNITS;
  }

  #isBlocked(): boolean {
    const { heading } = this;
    return (heading > 0 && this.#isDown('forward')) || (heading < 0 && this.#isDown('reverse'));
  }

  #isDown(direction: Direction): boolean {
    return this.#switches.isDown(direction, this.#axis.shaft(this.#atMs));
  }

  #limits(maxSpeed = this.#tuning.maxSpeed / SPEED_UNITS): MotionLimits {
    const { maxAcceleration, maxDeceleration } = this.#tuning;
    return {
      maxSpeed,
      acceleration: maxAcceleration / ACCELERATION_UNITS,
      deceleration: maxDeceleration / ACCELERATION_UNITS,
    };
  }

  #nextMs(): number | undefined {
    const moments = this.#conditions.changesMs(this.#surroundings());
    if (this.#axis.isMoving(this.#atMs))
      moments.push(this.#axis.endMs, ...this.#switches.crossingsMs(this.#axis, this.#atMs));
    if (this.#homing?.phase === 'waiting') moments.push(this.#homing.untilMs);
    const next = Math.min(...moments.filter((moment) => moment > this.#atMs));
    return Number.isFinite(next) ? next : undefined;
  }

  #surroundings(): Surroundings {
    const { kill_switch, driver_error, safe_start, command_timeout_ms } = this.#world.knobs();
    return {
      ...this.#world.settings(),
      vinMv: this.#world.vinMv(),
      killSwitch: kill_switch,
      driverFault: driver_error !== 'none',
      safeStartEnabled: safe_start,
      commandTimeoutMs: command_timeout_ms,
    };
  }
}
