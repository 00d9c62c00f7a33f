import type { Clock } from '../../lib/clock/clock.ts';
import type { Random } from '../../lib/random/seeded-random.ts';
import type { MemoryRig, MovingDevice } from './memory-rig.ts';
import type { OutputOracle } from './output-oracle.ts';

/** A fault that lasts for some time. @returns what ends it */
interface Fault {
  name: string;
  device: MovingDevice | undefined;
  /** Nothing reaches the device. */
  isCut?: true;
  begin(): () => void;
}

export interface FaultWorld {
  rig: MemoryRig;
  watcher: OutputOracle;
  clock: Clock;
  random: Random;
  /** How often each fault was there. */
  faults: Record<string, number>;
  supply: (isLow: boolean) => void;
  told: (line: string) => void;
  goesOn: () => boolean;
}

/** One fault after the other, some beside each other. */
export async function injectFaults(world: FaultWorld): Promise<void> {
  const { clock, random, goesOn, watcher } = world;
  const kinds = faultsOf(world);
  while (goesOn()) {
    await clock.sleep(20_000 + 400_000 * random());
    const fault = kinds[Math.floor(random() * kinds.length)];
    if (!fault) continue;
    world.faults[fault.name] = (world.faults[fault.name] ?? 0) + 1;
    if (fault.device) watcher.faultBegan(fault.device, fault.isCut === true);
    world.told(`fault begins: ${fault.name}`);
    const end = fault.begin();
    await clock.sleep(random() < 0.2 ? 60_000 * random() : 4000 * random());
    end();
    world.told(`fault ends: ${fault.name}`);
    if (fault.device) watcher.faultEnded(fault.device);
  }
}

function faultsOf({ rig, random, supply }: FaultWorld): Fault[] {
  const serial = (['modbus-io', 'pump'] as const).flatMap((device): Fault[] => {
    const twin = device === 'pump' ? rig.pump : rig.valves;
    const knob = (name: string, on: Record<string, unknown>, off: Record<string, unknown>): Fault => ({
      name: `${device} ${name}`,
      device,
      begin: () => {
        twin.knobs.patch(on);
        return () => twin.knobs.patch(off);
      },
    });
    return [
      knob('silent', { silent: true }, { silent: false }),
      knob('deaf', { deaf: true }, { deaf: false }),
      knob('bad_crc', { bad_crc: true }, { bad_crc: false }),
      knob('late', { late_ms: 600 }, { late_ms: 0 }),
      {
        name: `${device} corrupt now and then`,
        device,
        begin: () => {
          twin.slave.faultEach(() => ({
            ...(random() < 0.2 ? { bad_crc: true } : {}),
            ...(random() < 0.1 ? { truncate: 3 } : {}),
            ...(random() < 0.1 ? { doubled: true } : {}),
            ...(random() < 0.1 ? { silent: true } : {}),
          }));
          return () => twin.slave.faultEach(undefined);
        },
      },
    ];
  });
  const unplugs = (['modbus-io', 'pump', 'tic', 'ads1115'] as const).map(
    (device): Fault => ({
      name: `${device} unplugged`,
      isCut: true,
      device: device === 'ads1115' ? undefined : device,
      begin: () => {
        rig.unplug(device);
        return () => rig.plug(device);
      },
    }),
  );
  return [
    ...serial,
    ...unplugs,
    {
      name: 'lung supply too low',
      device: 'tic',
      begin: () => {
        rig.lung.knobs.patch({ vin_mv: 8000 });
        return () => rig.lung.knobs.patch({ vin_mv: null });
      },
    },
    {
      name: 'converter silent',
      device: undefined,
      begin: () => {
        rig.adc.knobs.patch({ nack: true });
        return () => rig.adc.knobs.patch({ nack: false });
      },
    },
    {
      name: 'under-voltage',
      device: undefined,
      begin: () => {
        supply(true);
        return () => supply(false);
      },
    },
  ];
}
