import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { type ListeningService, RIG_PORTS } from '../../rig/profiles/rig-services.ts';

export type RigPorts = Readonly<Record<ListeningService, number>>;

/**
 * The ports of a rig, fixed for its life: a service that is started again must be found where it was. With the bridge on
 * its default port the others take theirs; beside such a rig, on another port or 0, they take free ones.
 */
export async function rigPorts(bridgePort: number): Promise<RigPorts> {
  const names = Object.keys(RIG_PORTS) as ListeningService[];
  const isDefault = bridgePort === RIG_PORTS['svc-bridge'][0];
  const free = isDefault ? [] : await freePorts(names.length);
  const port = (name: ListeningService, i: number) => {
    if (name === 'svc-bridge' && bridgePort !== 0) return bridgePort;
    return free[i] ?? RIG_PORTS[name][0];
  };
  return Object.fromEntries(names.map((name, i) => [name, port(name, i)])) as RigPorts;
}

/** Held all at once, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listening));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listening(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
