import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { checkedRig } from '../../rig/configuration/load-rig-config.ts';
import { readConfigFile } from '../../rig/configuration/read-file.ts';
import { kindNamed } from '../../rig/device-kinds/index.ts';
import { type ListeningService, RIG_PORTS } from '../../rig/profiles/rig-services.ts';
import { startError } from './start-error.ts';

/** A whole number from `from`, below `to`. */
type RandomPort = (from: number, to: number) => number;

export type RigPorts = Readonly<Record<ListeningService, number>>;

/** Below the range from which the system gives out ports for connections: what is free now stays free. */
const FREE_FROM = 10_240;
const FREE_TO = 32_000;
const ATTEMPTS = 100;

/**
 * The ports of a rig, fixed for its life: a service that is started again must be found where it was. With the bridge on
 * its default port the others take theirs; beside such a rig, on another port or 0, they take free ones.
 * @param configured ports at which `svc.yaml` expects services; they win
 * @throws CliError `no_free_port`
 */
export async function rigPorts(
  bridgePort: number,
  configured: Partial<RigPorts> = {},
  random: RandomPort = randomInt,
): Promise<RigPorts> {
  const names = Object.keys(RIG_PORTS) as ListeningService[];
  const isDefault = bridgePort === RIG_PORTS['svc-bridge'][0];
  const free = isDefault ? [] : await freePorts(names.length, random);
  const port = (name: ListeningService, i: number) => {
    if (name === 'svc-bridge' && bridgePort !== 0) return bridgePort;
    return configured[name] ?? free[i] ?? RIG_PORTS[name][0];
  };
  return Object.fromEntries(names.map((name, i) => [name, port(name, i)])) as RigPorts;
}

/** A port of this machine that no one has. @throws CliError `no_free_port` */
export const freePort = async (random: RandomPort = randomInt): Promise<number> =>
  (await freePorts(1, random))[0]!;

/** Held all at once, so that they differ. */
async function freePorts(count: number, random: RandomPort): Promise<number[]> {
  const servers: Server[] = [];
  const ports: number[] = [];
  try {
    for (let attempt = 0; ports.length < count && attempt < ATTEMPTS; attempt++) {
      const port = random(FREE_FROM, FREE_TO);
      const server = await listening(port);
      if (server === undefined) continue;
      servers.push(server);
      ports.push(port);
    }
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
  if (ports.length === count) return ports;
  const message = `no ${count} free ports were found between ${FREE_FROM} and ${FREE_TO}: end what holds them, or use --port 8202`;
  throw startError('no_free_port', message);
}

/** Undefined when someone has the port. */
function listening(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

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
