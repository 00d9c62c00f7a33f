import type { Clock } from '../../lib/clock/clock.ts';
import type { Random } from '../../lib/random/seeded-random.ts';
import type { Setup } from '../../transports/memory/usb-pipe.ts';
import type { UsbIdentity } from '../../transports/usb/usb-control.ts';
import { FaultInjector } from '../fault-injector.ts';
import { Knobs } from '../knobs.ts';
import type { UsbTwin } from '../twin.ts';
import type { TwinListener } from '../twin-event.ts';
import { faultedData, type TicFault } from './fault.ts';
import { bcdOf, ticKnobs, ticKnobsSchema } from './knobs.ts';
import {
  COMMANDS,
  MAX_ACCELERATION,
  MAX_READ_BYTES,
  MAX_SPEED,
  MIN_ACCELERATION,
  SPEED_UNITS,
  setupPacket,
  VENDOR_ID,
} from './requests.ts';
import { Controller, type World } from './twin-controller.ts';
import { SettingMemory, tuningOf } from './twin-memory.ts';

/** What a service must never send. The device carries it out, and so does its twin; the trace tells. */
const FORBIDDEN = { setSetting: 0x13, reinitialize: 0x10, startBootloader: 0xff } as const;

const PLAIN_VIN_MV = 24_000;
const EMPTY = new Uint8Array();

/**
 * A Tic T249 with a motor and two limit switches. Its motion is a closed form of the
 * clock, so it is exact whenever it is asked; a timer runs only while something can happen by itself. The supply is
 * looked at with each request; `update` looks at it in between.
 */
export class TicTwin extends FaultInjector<TicFault> implements UsbTwin {
  readonly knobs: Knobs<typeof ticKnobsSchema.shape>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #tell: TwinListener;
  readonly #world: World;
  readonly #memory = new SettingMemory(() => this.knobs.value);
  #controller: Controller;
  #told: string;
  #cancelWake = () => {};
  #answerDelayMs = 0;

  constructor(options: {
    clock: Clock;
    random: Random;
    /** Motor supply that the plant gives, mV. */
    vinMv?: () => number;
    listener?: TwinListener;
    knobsChanged?: (patch: Record<string, unknown>) => void;
  }) {
    super();
    const plantVinMv = options.vinMv ?? (() => PLAIN_VIN_MV);
    this.#clock = options.clock;
    this.#random = options.random;
    this.#tell = options.listener ?? (() => {});
    this.knobs = new Knobs({
      device: 'tic',
      schema: ticKnobsSchema,
      atRest: ticKnobs(),
      changed: (patch) => {
        this.update();
        this.#controller.obey();
        this.update();
        options.knobsChanged?.(patch);
      },
    });
    this.#world = {
      settings: () => this.#memory.settings,
      knobs: () => this.knobs.value,
      vinMv: () => this.knobs.value.vin_mv ?? plantVinMv(),
    };
    this.#controller = new Controller(this.#world, this.#clock.monotonic());
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
    const { shaft, velocity, isEnergized } = this.#controller;
    return { position: shaft, velocity, energized: isEnergized };
  }

  /** What the device counts, microsteps: not the shaft's place any more after homing or a set position. */
  get counter(): number {
    this.update();
    return this.#controller.counter;
  }

  /** How long the answer to the last request is held back, milliseconds; Infinity when it never comes. */
  get answerDelayMs(): number {
    return this.#answerDelayMs;
  }

  /** The device after its power came back, at place 0; settings, knobs and faults at rest. */
  reset(): void {
    this.forgetFaults();
    this.#answerDelayMs = 0;
    this.#memory.reset();
    // The knobs first: a controller made while a fault still holds would begin with it.
    this.knobs.reset();
    this.#controller = new Controller(this.#world, this.#clock.monotonic());
    this.update();
  }

  /** Lets everything happen that has fallen due, and looks at the supply. */
  update(): void {
    const now = this.#clock.monotonic();
    const controller = this.#controller;
    controller.catchUp(now);
    const summary = this.#summary();
    if (summary !== this.#told) {
      this.#told = summary;
      const { shaft: position, velocity, isEnergized: energized } = controller;
      this.#tell({ kind: 'motion', position, velocity, energized });
    }
    this.#cancelWake();
    const { dueMs } = controller;
    this.#cancelWake = dueMs === undefined ? () => {} : this.#clock.after(dueMs - now, () => this.update());
  }

  control(setup: Setup): Uint8Array | undefined {
    const { length, ...request } = setup;
    const isIn = setup.requestType === 0xc0;
    this.#tell({ kind: 'in', bytes: setupPacket(isIn ? { ...request, length } : request) });
    const fault: TicFault = this.drawnFault();
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
    const block = isSetting ? this.#memory.bytes : this.#controller.block();
    if (index + length > block.length) return undefined;
    if (request === COMMANDS.getVariableAndClearErrors) this.#controller.clearErrorsOccurred();
    return block.slice(index, index + length);
  }

  /** undefined is a STALL */
  #command({ request, value, index }: Setup): Uint8Array | undefined {
    const now = this.#clock.monotonic();
    const controller = this.#controller;
    const { conditions } = controller;
    const wide = (index << 16) | value | 0;
    switch (request) {
      case COMMANDS.setTargetPosition:
        controller.follow({ kind: 'position', value: wide });
        return EMPTY;
      case COMMANDS.setTargetVelocity:
        controller.follow({ kind: 'velocity', value: wide / SPEED_UNITS });
        return EMPTY;
      case COMMANDS.haltAndSetPosition:
        controller.halt(wide);
        return EMPTY;
      case COMMANDS.haltAndHold:
        controller.halt();
        return EMPTY;
      case COMMANDS.goHome:
        return value <= 1 && controller.goHome(value === 1 ? 'forward' : 'reverse') ? EMPTY : undefined;
      case COMMANDS.energize:
        conditions.heard(now);
        conditions.energize(true);
        return EMPTY;
      case COMMANDS.deenergize:
        conditions.energize(false);
        return EMPTY;
      case COMMANDS.exitSafeStart:
        conditions.heard(now);
        conditions.exitSafeStart(now);
        return EMPTY;
      case COMMANDS.enterSafeStart:
        conditions.enterSafeStart(now);
        return EMPTY;
      case COMMANDS.resetCommandTimeout:
        conditions.heard(now);
        return EMPTY;
      case COMMANDS.clearDriverError:
        conditions.clearDriverError();
        return EMPTY;
      case COMMANDS.reset:
        controller.restart();
        return EMPTY;
      default:
        return this.#forbidden(request, value, index) ?? this.#tune(request, value, wide >>> 0);
    }
  }

  #forbidden(request: number, value: number, index: number): Uint8Array | undefined {
    const name = (Object.keys(FORBIDDEN) as (keyof typeof FORBIDDEN)[]).find(
      (key) => FORBIDDEN[key] === request,
    );
    if (!name) return undefined;
    this.#tell({ kind: 'note', note: `${name}: a service must never send that` });
    if (name === 'setSetting') this.#memory.write(index, value);
    if (name === 'reinitialize') this.#controller.tune(tuningOf(this.#memory.settings));
    return EMPTY;
  }

  #tune(request: number, value: number, wide: number): Uint8Array | undefined {
    const controller = this.#controller;
    const speed = Math.min(wide, MAX_SPEED);
    const rate = Math.min(Math.max(wide, MIN_ACCELERATION), MAX_ACCELERATION);
    switch (request) {
      case COMMANDS.setMaxSpeed:
        controller.tune({ maxSpeed: speed });
        return EMPTY;
      case COMMANDS.setStartingSpeed:
        controller.tune({ startingSpeed: speed });
        return EMPTY;
      case COMMANDS.setMaxAcceleration:
        controller.tune({ maxAcceleration: rate });
        return EMPTY;
      case COMMANDS.setMaxDeceleration:
        controller.tune({ maxDeceleration: wide === 0 ? controller.tuning.maxAcceleration : rate });
        return EMPTY;
      case COMMANDS.setStepMode:
        controller.tune({ stepMode: value });
        return EMPTY;
      case COMMANDS.setCurrentLimit:
        controller.tune({ currentCode: value });
        return EMPTY;
      case COMMANDS.setDecayMode:
        controller.tune({ decayMode: value });
        return EMPTY;
      case COMMANDS.setAgcOption:
        return EMPTY;
      default:
        return undefined;
    }
  }

  #summary(): string {
    return `${this.#controller.heading} ${this.#controller.isEnergized}`;
  }
}
