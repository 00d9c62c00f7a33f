import { isLocalUrl } from '../../../lib/http/loopback.ts';
import type { Config } from '../../../rig/configuration/types.ts';
import { lung } from '../../../rig/device-kinds/lung.ts';
import { pump } from '../../../rig/device-kinds/pump.ts';
import { valveBoard } from '../../../rig/device-kinds/valve-board.ts';
import { voltageConverter } from '../../../rig/device-kinds/voltage-converter.ts';
import { DeviceNames } from '../../../rig/hardware/names.ts';
import { VALVES_PER_BOARD } from '../../../rig/hardware/ports.ts';
import type { Registry } from '../../../rig/registry/registry.ts';
import type { RigUses } from '../../../scenario/rig/rig.ts';
import type { Finding } from './finding.ts';

interface Need {
  /** Name in `plugins`. */
  plugin: string;
  title: string;
}

/**
 * Devices that a scenario uses and `svc.yaml` does not have or switches off: no preflight needs to ask for them. A bridge on another
 * machine has an `svc.yaml` of its own, and its preflight says what it lacks.
 */
export function missingDevices(
  { peripherals, sensors }: Pick<RigUses, 'peripherals' | 'sensors'>,
  { config, registry }: { config: Config; registry: Registry },
  firmwareUrl: string,
): Finding[] {
  if (!isLocalUrl(firmwareUrl)) return [];
  const names = new DeviceNames(config.aliases, config.plugins);
  const needs = [
    ...peripherals.map((id) => actuatorNeed(id, registry, names)),
    ...sensors.map((id) => sensorNeed(id, registry, config, names)),
  ];
  const seen = new Set<string>();
  return needs.flatMap((need): Finding[] => {
    if (!need || seen.has(need.plugin)) return [];
    seen.add(need.plugin);
    const { plugin: id, title } = need;
    const plugin = config.plugins.find((one) => one.id === id);
    if (plugin?.enabled) return [];
    const isOff = plugin !== undefined;
    return [
      {
        ...{ code: 'SCN409', name: 'preflight', file: null, line: null, column: null },
        message: `this scenario uses ${title} (${id}), which svc.yaml of this rig ${isOff ? 'switches off (enabled: false)' : 'does not have'}`,
        remedy: isOff
          ? `Connect the device, set plugins.${id}.enabled to true and run svcctl config apply, or choose another scenario.`
          : `Add plugins.${id} to svc.yaml and run svcctl config apply, or choose another scenario.`,
      },
    ];
  });
}

function actuatorNeed(id: string, registry: Registry, names: DeviceNames): Need | undefined {
  const kind = registry.peripheral(id)?.kind;
  if (kind === 'pump') return { plugin: pump.names[0], title: pump.title };
  if (kind === 'lung') return { plugin: lung.names[0], title: lung.title };
  const coil = kind === 'valve' ? names.coil(id) : undefined;
  const board = coil === undefined ? undefined : valveBoard.names[Math.floor(coil / VALVES_PER_BOARD)];
  return board === undefined ? undefined : { plugin: board, title: id };
}

function sensorNeed(
  id: string,
  registry: Registry,
  { adcMap }: Config,
  names: DeviceNames,
): Need | undefined {
  const plugin = registry.sensor(id)?.plugin;
  if (plugin !== undefined) return { plugin, title: 'the sensor' };
  const input = names.sensor(id);
  if (input === undefined || (adcMap && input in adcMap.channels)) return undefined;
  return { plugin: voltageConverter.names[0], title: voltageConverter.title };
}
