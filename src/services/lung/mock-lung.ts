import { Plant } from '../../bench/plant/index.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { lungData } from '../../rig/hardware/lung-data.ts';
import { mockLung } from '../../rig/hardware/mock/lung.ts';
import type { LungStatus } from '../../rig/hardware/ports.ts';
import type { LungSettings } from '../../rig/hardware/real/tic-lung-settings.ts';
import { RigError } from '../../rig/hardware/rig-error.ts';
import type { OwnedLung } from './owned-lung.ts';
import { LONGEST_HOLD_S } from './settings.ts';

/** Speeds of the interface are 1/10000 step/s. */
const SPEED_UNITS_PER_STEP = 10_000;
const MARKS = { mock: true, simulated: true, bench: false };

/** The lung of a plant of its own: no device is opened. It has no switches, so homing is over as soon as it begins. */
export function simulatedLung(clock: Clock, { minVinV, homingLimitMs }: LungSettings): OwnedLung {
  const plant = new Plant({ clock, random: seededRandom(clock.now()) });
  const port = mockLung(plant);
  let isHeld = false;
  const isUnderWay = () => plant.lungState().running;
  const seen = (status: LungStatus) => ({ ...status, energized: status.moving || isHeld });
  const stop = async () => {
    isHeld = false;
    return seen(await port.stop());
  };
  const refuseWhileMoving = async () => {
    if (!isUnderWay()) return;
    const text = 'a motion is under way; stop it before starting another';
    const data = { runtime_status: lungData(seen(await port.read())) };
    throw new RigError('lung_moving', 'lung-motor', text, undefined, { data });
  };
  return {
    port: {
      origin: port.origin,
      start: async (motion) => {
        await refuseWhileMoving();
        // A normal end also de-energizes, whatever was before.
        isHeld = false;
        return seen(await port.start(motion));
      },
      stop,
      disable: stop,
      read: async () => seen(await port.read()),
    },
    get isUnderWay() {
      return isUnderWay();
    },
    get mayHaveCurrent() {
      return isUnderWay() || isHeld;
    },
    plannedMs: ({ steps, speed, cycles, pauseS }) =>
      1000 * 2 * cycles * ((steps * SPEED_UNITS_PER_STEP) / speed + pauseS),
    energize: async () => {
      await refuseWhileMoving();
      isHeld = true;
      return seen(await port.read());
    },
    home: async () => {
      await refuseWhileMoving();
      return stop();
    },
    settings: () => ({
      ok: true,
      product: null,
      firmware: null,
      serial: null,
      settings: null,
      differences: [],
      observed_at: null,
      min_vin_v: minVinV,
      homing_limit_s: homingLimitMs / 1000,
      longest_hold_s: LONGEST_HOLD_S,
      ...MARKS,
    }),
    health: async () => ({
      ok: true,
      status: 'ok',
      code: null,
      message: 'mock mode: no device is opened; set SVC_HARDWARE_MODE=real to use it',
      driver: 'Tic T249',
      identified: false,
      address: null,
      firmware: null,
      serial: null,
      differences: [],
      mock_mode: true,
      simulated: true,
      bench: false,
      holder: null,
    }),
    isUp: () => undefined,
    open: async () => {},
    close: async () => {},
  };
}
