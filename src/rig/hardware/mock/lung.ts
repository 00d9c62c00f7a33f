import type { Plant } from '../../../bench/plant/index.ts';
import type { LungPort, LungStatus } from '../ports.ts';
import { RigError } from '../rig-error.ts';
import { ORIGIN } from './origin.ts';

/** Speeds of the interface are 1/10000 step/s, those of the plant step/s. */
const SPEED_UNITS_PER_STEP = 10_000;

/** The lung of the plant. */
export function mockLung(plant: Plant): LungPort {
  let cyclesTotal = 0;
  const status = (): LungStatus => {
    const { running, position, cyclesDone } = plant.lungState();
    return {
      connected: true,
      // A normal end also de-energizes.
      energized: running,
      moving: running,
      position,
      positionUncertain: null,
      forwardLimitActive: null,
      reverseLimitActive: null,
      lowVin: null,
      vinMv: null,
      motorDriverError: null,
      lastMotionError: null,
      cyclesDone,
      cyclesTotal,
      error: null,
    };
  };
  const halt = async () => {
    plant.stopLung();
    return status();
  };
  return {
    origin: ORIGIN,
    start: async (motion) => {
      if (plant.lungState().running) {
        throw new RigError(
          'lung_moving',
          'lung-motor',
          'a motion is running; stop it before starting another',
        );
      }
      plant.startLung({ ...motion, speed: motion.speed / SPEED_UNITS_PER_STEP });
      cyclesTotal = motion.cycles;
      return status();
    },
    stop: halt,
    disable: halt,
    read: async () => status(),
  };
}
