import type { ComponentHealth } from '../../rig/hardware/ports.ts';
import type { I2cBusEntry } from '../../transports/sysfs/i2c-buses.ts';

/** The kernel lists only chips that it drives itself; one that has just answered our driver is there too. */
export function withAnswering(
  buses: readonly I2cBusEntry[],
  answering: readonly NonNullable<ComponentHealth['chip']>[],
): I2cBusEntry[] {
  return buses.map((bus) => {
    const listed = new Set(bus.chips.map(({ address }) => address));
    const added = answering.filter((chip) => chip.bus === bus.bus && !listed.has(chip.address));
    return { ...bus, chips: [...bus.chips, ...added.map(({ address, name }) => ({ address, name }))] };
  });
}
