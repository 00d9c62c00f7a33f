import type { Clock } from '../../lib/clock/clock.ts';
import type { LitresPerMinute, Milliseconds } from '../../lib/quantity.ts';
import { gaussian, type Random } from '../../lib/random/seeded-random.ts';
import { Lung, type LungMotion, type LungState } from './lung.ts';
import {
  defaultPlantParameters,
  ofInput,
  type PlantParameters,
  type PlantPatch,
  plantParametersSchema,
  withPatch,
} from './parameters.ts';
import { courseOf, follow } from './pressure.ts';
import { supplyVolts } from './supply.ts';

const COILS = 8;
const SECONDS_PER_MINUTE = 60;

/** The motor of the lung, as a plant sees it. */
export interface LungMotor {
  /** Where it is now: microsteps, and microsteps per second, positive out of the lung. */
  motion(): { position: number; velocity: number };
  /** As last told: a motor that is asked looks at the supply, and the supply at this. */
  isEnergized(): boolean;
  /** The load on the supply, or the supply itself, is another. */
  supplyChanged(): void;
}

/** What goes on in the plant, in the units of people. */
export interface PlantState {
  /** What the pump moves at its power; 0 when every valve is closed against it. */
  pump_flow_lpm: number;
  /** Pressures behind the valves of ai01..ai04, volts above rest. */
  pressure_v: number[];
  lung_volume_l: number;
  /** Positive out of the lung. */
  lung_flow_lpm: number;
  supply_v: number;
  /** Which valves are open: those with a coil on and a supply. */
  valves_open: boolean[];
}

/** A meter that follows the pump's flow with a time constant. */
interface FlowLag {
  lpm: LitresPerMinute;
  /** Seconds. */
  tauS: () => number;
}

/**
 * The rig that twins and mock mode share: a pump, eight valves, four pressure sensors and a lung. Sensor i follows
 * the valve at coil i (see `pressure.ts`). It moves with the clock it is given and draws chance from `random` only.
 */
export class Plant {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #initial: PlantParameters;
  readonly #lung: Lung;
  readonly #coils: boolean[] = new Array<boolean>(COILS).fill(false);
  #motor: LungMotor;
  #pressures: number[] = [0, 0, 0, 0];
  #duty = 0;
  #hasSupply = true;
  readonly #lags: FlowLag[] = [];
  #atMs: Milliseconds;
  #parameters: PlantParameters;

  constructor(options: { clock: Clock; random: Random; parameters?: PlantPatch }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#initial = withPatch(defaultPlantParameters(), options.parameters ?? {});
    this.#parameters = this.#initial;
    this.#lung = new Lung(options.clock);
    this.#motor = this.#lung;
    this.#atMs = options.clock.monotonic();
  }

  get parameters(): PlantParameters {
    return this.#parameters;
  }

  get duty(): number {
    return this.#duty;
  }

  get coils(): boolean[] {
    return [...this.#coils];
  }

  /** @param fraction 0..1. @throws RangeError */
  setDuty(fraction: number): void {
    if (!(fraction >= 0 && fraction <= 1)) throw new RangeError(`pump duty ${fraction} is not 0 to 1`);
    this.#settle();
    this.#duty = fraction;
    this.#motor.supplyChanged();
  }

  /** The supply of valves, pump and lung's motor is connected, or cut by a relay: what was commanded stays commanded. */
  setSupply(connected: boolean): void {
    this.#settle();
    this.#hasSupply = connected;
    this.#motor.supplyChanged();
  }

  /** @param coil 0..7. @throws RangeError */
  setCoil(coil: number, on: boolean): void {
    if (!Number.isInteger(coil) || coil < 0 || coil >= COILS)
      throw new RangeError(`coil ${coil} is not 0 to 7`);
    this.#settle();
    this.#coils[coil] = on;
    this.#motor.supplyChanged();
  }

  /** Changes what the rig is like, from now on. @throws ZodError, and nothing is changed then */
  setParameters(patch: PlantPatch): void {
    const parameters = plantParametersSchema.parse(withPatch(this.#parameters, patch));
    this.#settle();
    this.#parameters = parameters;
    this.#motor.supplyChanged();
  }

  /**
   * What an ADC would read. @param input 0..3 for ai01..ai04
   * @param random where the noise comes from: each ADC has chance of its own, so that one does not disturb another
   * @returns volts at the sensor now. @throws RangeError
   */
  volts(input: number, random: Random = this.#random): number {
    this.#settle();
    const rest = this.#parameters.rest_v[input];
    const pressure = this.#pressures[input];
    if (rest === undefined || pressure === undefined) throw new RangeError(`input ${input} is not 0 to 3`);
    const deviation = ofInput(this.#parameters.noise_v, input);
    const noise = deviation === 0 ? 0 : deviation * gaussian(random);
    return rest + pressure + this.#breathing(input) + noise;
  }

  /** Supply of the motors under the present load, whole millivolts. */
  vinMv(): number {
    return Math.round(this.#supplyVolts() * 1000);
  }

  state(): PlantState {
    this.#settle();
    const { lung_rest_l, lung_l_per_step } = this.#parameters;
    const { position } = this.#motor.motion();
    return {
      pump_flow_lpm: this.#flowLpm(),
      pressure_v: [...this.#pressures],
      lung_volume_l: Math.max(0, lung_rest_l - lung_l_per_step * position),
      lung_flow_lpm: this.#lungFlowLpm(),
      supply_v: this.#supplyVolts(),
      valves_open: this.#openValves,
    };
  }

  /**
   * The pump's flow as a meter follows it, by a first-order lag.
   *
   * @param tauS time constant of the meter, seconds; 0 follows at once
   * @returns l/min now
   */
  laggedFlow(tauS: () => number): () => number {
    const lag: FlowLag = { lpm: this.#flowLpm(), tauS };
    this.#lags.push(lag);
    return () => {
      this.#settle();
      return tauS() === 0 ? this.#flowLpm() : lag.lpm;
    };
  }

  /** Takes the lung from a twin of its motor instead of the plant's own. */
  attachLung(motor: LungMotor): void {
    this.#motor = motor;
  }

  startLung(motion: LungMotion): void {
    this.#lung.start(motion);
  }

  stopLung(): void {
    this.#lung.stop();
  }

  lungState(): LungState {
    return this.#lung.state();
  }

  /** Pump off, valves closed, pressures gone, parameters as at the start. */
  reset(): void {
    this.#settle();
    this.#coils.fill(false);
    this.#duty = 0;
    this.#pressures = [0, 0, 0, 0];
    for (const lag of this.#lags) lag.lpm = 0;
    this.#parameters = this.#initial;
    this.#lung.stop();
    this.#motor.supplyChanged();
  }

  get #openValves(): boolean[] {
    return this.#coils.map((on) => on && this.#hasSupply);
  }

  get #drive(): number {
    return this.#hasSupply ? this.#duty : 0;
  }

  #flowLpm(): number {
    return this.#openValves.includes(true) ? this.#parameters.pump_full_scale_lpm * this.#drive : 0;
  }

  #supplyVolts(): number {
    if (!this.#hasSupply) return 0;
    const coilsOn = this.#coils.filter(Boolean).length;
    return supplyVolts(this.#parameters, { duty: this.#duty, coilsOn, energized: this.#motor.isEnergized() });
  }

  #lungFlowLpm(): number {
    return this.#motor.motion().velocity * this.#parameters.lung_l_per_step * SECONDS_PER_MINUTE;
  }

  /** The resistance of a mounted mask against the flow of the breath, as breathing resistance is measured. */
  #breathing(input: number): number {
    if (input !== 0 || ofInput(this.#parameters.leak, 0) === null) return 0;
    return this.#parameters.breathing_v_per_lpm * this.#lungFlowLpm();
  }

  /** Brings the pressures to now; called before anything that changes their course. */
  #settle(): void {
    const now = this.#clock.monotonic();
    const seconds = (now - this.#atMs) / 1000;
    this.#atMs = now;
    if (seconds <= 0) return;
    this.#pressures = this.#pressures.map((pressure, input) =>
      follow(
        courseOf(this.#parameters, input, this.#openValves[input] ?? false, this.#drive),
        pressure,
        seconds,
      ),
    );
    const target = this.#flowLpm();
    for (const lag of this.#lags) lag.lpm = follow({ target, rate: 1 / lag.tauS() }, lag.lpm, seconds);
  }
}
