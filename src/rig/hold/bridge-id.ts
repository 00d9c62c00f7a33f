import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';
import { rigKey } from '../../lib/liveness/live-address.ts';
import type { LockHolder } from '../../lib/lock/lock.ts';

const schema = z.object({
  rig: z.string().regex(/^[\w.-]{1,253}\/[0-9a-f]{16}$/),
  service: z.literal('svc-bridge'),
  pid: z.int().positive(),
  port: z.int().positive().nullable(),
  since: z.iso.datetime(),
});

/** The bridge that calls a service, as the header `x-bridge-id` names it. */
export type CallingBridge = z.output<typeof schema>;

/** Reports the rigs of all machines apart, before and after a restart of the bridge. A person finds the machine by it. */
export function rigOf(stateDir: string): string {
  const key = createHash('sha256').update(machineId() + rigKey(stateDir));
  return `${hostname().replace(/[^\w.-]/g, '_')}/${key.digest('hex').slice(0, 16)}`;
}

/** Value of `x-bridge-id`. It is not a password: it distinguishes programs that may all command. */
export const bridgeIdOf = (rig: string, { pid, port, since }: LockHolder): string =>
  JSON.stringify({ rig, service: 'svc-bridge', pid, port, since } satisfies CallingBridge);

/** Undefined for a text that is not an id of a bridge. */
export function readBridgeId(text: string): CallingBridge | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Machines that were made from one image may share their name and their folders. */
function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8');
  } catch {
    return '';
  }
}
