import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { checkedRig } from '../../rig/configuration/load-rig-config.ts';
import { readConfigFile } from '../../rig/configuration/read-file.ts';
import { kindNamed } from '../../rig/device-kinds/index.ts';
import type { RigPorts } from './rig-ports.ts';

/**
 * The ports of this machine at which a `svc.yaml` expects the services of pump, lung and converter.
 * @throws ConfigError for a file that no service would start with
 */
export function configuredPorts(path: string): Partial<RigPorts> {
  const { config } = checkedRig(mergeConfig(readConfigFile(path), {}, path), path);
  const ports = config.plugins.flatMap(({ kind, enabled, connection }) => {
    const service = kindNamed(kind)?.owner?.service;
    if (!enabled || service === undefined || connection?.type !== 'http') return [];
    const { hostname, port } = new URL(connection.baseUrl);
    const isLocal = ['127.0.0.1', 'localhost'].includes(hostname);
    return isLocal && port !== '' ? [[service, Number(port)] as const] : [];
  });
  return Object.fromEntries(ports);
}
