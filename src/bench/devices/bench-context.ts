import type { TwinListener } from '../../devices/twin-event.ts';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import type { Plant, PlantParameters } from '../plant/index.ts';
import { PLANT_INPUTS } from '../plant/parameters.ts';
import type { BenchTwin, Buildable } from './define-bench-device.ts';
import type { Rs485Line } from './rs485-line.ts';

/** What one device is built with, and what the devices of one bench share. */
export interface BenchContext {
  /** @returns the path of a link or socket in the folder of the bench */
  path: (file: string) => string;
  seed: number;
  /** Time of twins and plant. */
  clock: Clock;
  plant: Plant;
  /** Of the wires of serial lines. */
  wireClock: Clock;
  /** Bytes take the time they take on the real line. */
  atLineRate: boolean;
  /** Milliseconds after which a USB adapter hands on what it has received; 0 at once. */
  usbLatencyMs: number;
  /** The RS-485 line of the valve board, for any number of Modbus slaves. */
  valvesLine: Rs485Line;
  /** @param also is called with each event of the twin, after the trace has it */
  twinOptions(also?: TwinListener): TwinOptions;
  /** Port on 127.0.0.1 that was asked for; 0 takes a free one. */
  tcpPort(option: string): number;
  /** The twin of another device of this bench. */
  twinOf<Twin extends BenchTwin>(definition: Buildable<Twin>): Twin;
}

/** What every twin is made with. Each has random numbers of its own. */
export interface TwinOptions {
  clock: Clock;
  random: Random;
  listener: TwinListener;
  knobsChanged: (patch: Record<string, unknown>) => void;
}

/** The clock of the lines: a wire is as fast as it is, whether twins and plant stand still or are moved ahead. */
export const lineClock: Clock = systemClock;

/**
 * Random numbers of one device: they follow from seed and name alone, so that neither another device nor another
 * client's timing changes them (DEV-047).
 */
export function deviceRandom(seed: number, name: string): Random {
  // FNV-1a over the name, begun with the seed.
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return seededRandom(hash);
}

/** What an ADC's inputs see of the plant, with noise that is the ADC's own. @returns volts of input 0.. of the ADC */
export function inputsOf(
  { plant, seed }: BenchContext,
  adc: keyof PlantParameters['inputs'],
): (input: number) => number {
  const random = deviceRandom(seed, `${adc} noise`);
  return (input) => {
    const name = plant.parameters.inputs[adc][input];
    if (name === undefined) throw new RangeError(`${adc} has no input ${input}`);
    return plant.volts(PLANT_INPUTS.indexOf(name), random);
  };
}
