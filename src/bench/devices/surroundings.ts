import { join } from 'node:path';
import type { TwinListener } from '../../devices/twin-event.ts';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import type { Plant, PlantParameters } from '../plant/index.ts';
import { PLANT_INPUTS } from '../plant/parameters.ts';
import type { TraceLog } from '../trace/trace-log.ts';
import type { BenchDevice } from './bench-device.ts';
import { TwinStation } from './twin-station.ts';

/** What the stations of one bench share. */
export interface Surroundings {
  /** Folder of links and sockets. */
  folder: string;
  seed: number;
  /** Time of twins and plant. */
  clock: Clock;
  plant: Plant;
  trace: TraceLog;
  /** Bytes take the time they take on the real line. */
  atLineRate: boolean;
  /** Milliseconds after which a USB adapter hands on what it has received; 0 at once. */
  usbLatencyMs: number;
}

/** The clock of the lines: a wire is as fast as it is, whether twins and plant stand still or are moved ahead. */
export const lineClock: Clock = systemClock;

export const placeOf = ({ folder }: Surroundings, file: string): string => join(folder, file);

/** A station and what its twin is to be made with. Each twin has chance of its own. */
export function newStation(
  { clock, trace, seed }: Surroundings,
  name: BenchDevice,
  also: TwinListener = () => {},
) {
  const station = new TwinStation({ name, clock, trace });
  const listener: TwinListener = (event) => {
    station.listener(event);
    also(event);
  };
  const twinOptions = {
    clock,
    random: deviceRandom(seed, name),
    listener,
    knobsChanged: station.knobsChanged,
  };
  return { station, twinOptions };
}

/**
 * Chance of one device: it follows from seed and name alone, so that neither another device nor another client's
 * timing changes it (devices.md DEV-047).
 */
export function deviceRandom(seed: number, name: string): Random {
  // FNV-1a over the name, begun with the seed.
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return seededRandom(hash);
}

/** What an ADC's inputs see of the plant, with noise that is the ADC's own. @returns volts of input 0.. of the ADC */
export function inputsOf(
  { plant, seed }: Surroundings,
  adc: keyof PlantParameters['inputs'],
): (input: number) => number {
  const random = deviceRandom(seed, `${adc} noise`);
  return (input) => {
    const name = plant.parameters.inputs[adc][input];
    if (name === undefined) throw new RangeError(`${adc} has no input ${input}`);
    return plant.volts(PLANT_INPUTS.indexOf(name), random);
  };
}
