import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { checkedRig } from '../../rig/configuration/load-rig-config.ts';
import { readConfigFile } from '../../rig/configuration/read-file.ts';
import type { PluginId } from '../../rig/configuration/types.ts';
import type { ListeningService } from '../../rig/profiles/rig-services.ts';
import type { RigPorts } from './rig-ports.ts';

const SERVICES: Readonly<Partial<Record<PluginId, ListeningService>>> = {
  'pump-motor': 'svc-pump',
  'lung-motor': 'svc-lung',
  'sensor-adc': 'svc-sensors',
};

/**
 * The ports of this machine at which a `svc.yaml` expects the services of pump, lung and converter.
 * @throws ConfigError for a file that no service would start with
 */
export function configuredPorts(path: string): Partial<RigPorts> {
  const { config } = checkedRig(mergeConfig(readConfigFile(path), {}, path), path);
  const ports = config.plugins.flatMap(({ id, enabled, connection }) => {
    const service = SERVICES[id];
    if (!enabled || service === undefined || connection?.type !== 'http') return [];
    const { hostname, port } = new URL(connection.baseUrl);
    const isLocal = ['127.0.0.1', 'localhost'].includes(hostname);
    return isLocal && port !== '' ? [[service, Number(port)] as const] : [];
  });
  return Object.fromEntries(ports);
}
