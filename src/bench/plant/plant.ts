import type { Clock } from '../../lib/clock/clock.ts';
import { gaussian, type Random } from '../../lib/random/seeded-random.ts';
import { Lung, type LungMotion, type LungState } from './lung.ts';
import { defaultPlantParameters, type PlantParameters, plantParametersSchema } from './parameters.ts';
import { courseOf, follow } from './pressure.ts';

const COILS = 8;

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
  #pressures: number[] = [0, 0, 0, 0];
  #duty = 0;
  #atMs: number;
  #parameters: PlantParameters;

  constructor(options: { clock: Clock; random: Random; parameters?: Partial<PlantParameters> }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#initial = { ...defaultPlantParameters(), ...options.parameters };
    this.#parameters = this.#initial;
    this.#lung = new Lung(options.clock);
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
  }

  /** @param coil 0..7. @throws RangeError */
  setCoil(coil: number, on: boolean): void {
    if (!Number.isInteger(coil) || coil < 0 || coil >= COILS)
      throw new RangeError(`coil ${coil} is not 0 to 7`);
    this.#settle();
    this.#coils[coil] = on;
  }

  /** Changes what the rig is like, from now on. @throws ZodError */
  setParameters(patch: Partial<PlantParameters>): void {
    this.#settle();
    this.#parameters = plantParametersSchema.parse({ ...this.#parameters, ...patch });
  }

  /** @param input 0..3 for ai01..ai04. @returns volts at the sensor now. @throws RangeError */
  volts(input: number): number {
    this.#settle();
    const rest = this.#parameters.rest_v[input];
    const pressure = this.#pressures[input];
    if (rest === undefined || pressure === undefined) throw new RangeError(`input ${input} is not 0 to 3`);
    const noise = this.#parameters.noise_v === 0 ? 0 : this.#parameters.noise_v * gaussian(this.#random);
    return rest + pressure + noise;
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
    this.#parameters = this.#initial;
    this.#lung.stop();
  }

  /** Brings the pressures to now; called before anything that changes their course. */
  #settle(): void {
    const now = this.#clock.monotonic();
    const seconds = (now - this.#atMs) / 1000;
    this.#atMs = now;
    if (seconds <= 0) return;
    this.#pressures = this.#pressures.map((pressure, input) =>
      follow(courseOf(this.#parameters, this.#coils[input] ?? false, this.#duty), pressure, seconds),
    );
  }
}
