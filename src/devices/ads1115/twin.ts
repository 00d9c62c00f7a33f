import type { Clock } from '../../lib/clock/clock.ts';
import { FaultInjector } from '../fault-injector.ts';
import { Knobs } from '../knobs.ts';
import type { I2cTwin, I2cTwinAnswer } from '../twin.ts';
import type { TwinListener } from '../twin-event.ts';
import type { Ads1115Fault } from './fault.ts';
import { ads1115Knobs, ads1115KnobsSchema } from './knobs.ts';
import {
  type AdcInput,
  FULL_SCALE_VOLTS,
  inputBits,
  OS_BIT,
  POINTER,
  RATES,
  RESET_CONFIG,
  SATURATED,
  SINGLE_SHOT_BIT,
  wordBytes,
  wordOf,
} from './protocol.ts';

/** What another program changes: the lowest bit of the input code. */
const FOREIGN_INPUT = 0x1000;

/** An ADS1115: registers behind a pointer, conversions that take their time. */
export class Ads1115Twin extends FaultInjector<Ads1115Fault> implements I2cTwin {
  readonly knobs: Knobs<typeof ads1115KnobsSchema.shape>;
  readonly #clock: Clock;
  readonly #volts: (input: AdcInput) => number;
  readonly #tell: TwinListener;
  #pointer = 0;
  /** Without the OS bit, which is distinguished from what runs. */
  #config = RESET_CONFIG & ~OS_BIT;
  #conversion = 0;
  #thresholds = [0x8000, 0x7fff];
  #running: { config: number; endsAt: number } | undefined;
  /** Of the last start; what a late multiplexer stands on. */
  #startedMux = inputBits(RESET_CONFIG);

  constructor(options: {
    clock: Clock;
    /** Voltage at a pin now. */
    volts: (input: AdcInput) => number;
    listener?: TwinListener;
    knobsChanged?: (patch: Record<string, unknown>) => void;
  }) {
    super();
    this.#clock = options.clock;
    this.#volts = options.volts;
    this.#tell = options.listener ?? (() => {});
    this.knobs = new Knobs({
      device: 'ads1115',
      schema: ads1115KnobsSchema,
      atRest: ads1115Knobs(),
      ...(options.knobsChanged ? { changed: options.knobsChanged } : {}),
    });
  }

  /** Registers and knobs as after power-up. */
  reset(): void {
    this.knobs.reset();
    this.forgetFaults();
    this.#powerUp();
  }

  #powerUp(): void {
    this.#pointer = 0;
    this.#config = RESET_CONFIG & ~OS_BIT;
    this.#conversion = 0;
    this.#thresholds = [0x8000, 0x7fff];
    this.#running = undefined;
  }

  transfer(write: Uint8Array, readCount: number): I2cTwinAnswer {
    const { permission_denied, nack, unplugged } = this.knobs.value;
    const fault = this.drawnFault();
    if (permission_denied) return { ok: false, error: 'permission_denied' };
    if (nack || unplugged || fault.nack) return { ok: false, error: 'nack' };
    if (fault.brown_out) this.#powerUp();
    if (write.length > 0) {
      this.#tell({ kind: 'in', bytes: write });
      this.#pointer = (write[0] ?? 0) & 0x03;
      if (write.length >= 3) this.#write(wordOf(write.subarray(1)));
    }
    const register = wordBytes(this.#read());
    const bytes = Uint8Array.from({ length: readCount }, (_, index) => register[index % 2] ?? 0);
    if (readCount > 0) this.#tell({ kind: 'out', bytes });
    return { ok: true, bytes };
  }

  #write(value: number): void {
    if (this.#pointer === POINTER.config) this.#configure(value);
    else if (this.#pointer !== POINTER.conversion) {
      this.#thresholds[this.#pointer - POINTER.lowThreshold] = value;
    }
  }

  /** A start during a conversion has no effect: that conversion goes on with the input it began with. */
  #configure(value: number): void {
    this.#settle();
    this.#config = (value & ~OS_BIT) ^ (this.knobs.value.foreign_config ? FOREIGN_INPUT : 0);
    if (!(value & OS_BIT) || this.#running) return;
    const rate = RATES[(value >> 5) & 7] ?? 128;
    const mux = this.knobs.value.late_mux ? this.#startedMux : inputBits(this.#config);
    this.#startedMux = inputBits(this.#config);
    const config = (this.#config - inputBits(this.#config)) | mux;
    this.#running = { config, endsAt: this.#clock.monotonic() + 1000 / rate };
  }

  /** Ends the conversion whose time has come. In continuous mode there is always a new one. */
  #settle(): void {
    if (this.knobs.value.slow) return;
    const running = this.#running;
    if (running && this.#clock.monotonic() >= running.endsAt) {
      if (!this.knobs.value.freeze) this.#conversion = this.#convert(running.config);
      this.#running = undefined;
    }
    if (this.#isContinuous && !this.#running && !this.knobs.value.freeze)
      this.#conversion = this.#convert(this.#config);
  }

  get #isContinuous(): boolean {
    return (this.#config & SINGLE_SHOT_BIT) === 0;
  }

  #read(): number {
    this.#settle();
    if (this.#pointer === POINTER.conversion) return this.#conversion & 0xffff;
    const isIdle = !this.#running && !this.#isContinuous;
    if (this.#pointer === POINTER.config) return this.#config | (isIdle ? OS_BIT : 0);
    return this.#thresholds[this.#pointer - POINTER.lowThreshold] ?? 0;
  }

  #convert(config: number): number {
    const mux = (config >> 12) & 7;
    const [positive, negative] = DIFFERENTIAL[mux] ?? [mux & 3, undefined];
    const volts = this.#pin(positive) - (negative === undefined ? 0 : this.#pin(negative));
    const fullScale = FULL_SCALE_VOLTS[(config >> 9) & 7] ?? 4.096;
    return Math.max(-32_768, Math.min(SATURATED, Math.round((volts / fullScale) * 32_768)));
  }

  #pin(input: number): number {
    const { ain0_v, ain1_v, ain2_v, ain3_v, gain, offset_v } = this.knobs.value;
    const volts = [ain0_v, ain1_v, ain2_v, ain3_v][input] ?? this.#volts(input as AdcInput);
    return gain * volts + offset_v;
  }
}

/** Inputs that are measured against each other, by input code 0..3. */
const DIFFERENTIAL: (readonly [number, number] | undefined)[] = [
  [0, 1],
  [0, 3],
  [1, 3],
  [2, 3],
];
