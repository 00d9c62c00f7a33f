import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { JsonObject } from '../io/call-service.ts';
import type { Io } from '../io/io.ts';
import { BridgeCalls } from './bridge-calls.ts';
import { keep } from './keep.ts';

export const LEASE_ACTIONS = ['show', 'take', 'renew', 'release'] as const;
export type LeaseAction = (typeof LEASE_ACTIONS)[number];

export interface LeaseOptions {
  owner?: string;
  /** Milliseconds. */
  ttl?: number;
  id?: string;
  keep?: true;
  asIs?: true;
  firmwareUrl?: string;
  json?: true;
}

const MIN_TTL_MS = 1000;
const MAX_TTL_MS = 60_000;

/** `svcctl lease`: who may move the rig. @throws CliError */
export async function leaseCommand(action: LeaseAction, options: LeaseOptions, io: Io): Promise<number> {
  refuseUnused(action, options);
  const bridge = new BridgeCalls(options.firmwareUrl, io);
  const tell = (answer: JsonObject, line: string) =>
    io.stdout.write(`${options.json ? JSON.stringify(answer) : line}\n`);
  switch (action) {
    case 'show': {
      const answer = await bridge.call('GET', 'lease');
      tell(answer, answer.held === true ? `leased to ${answer.owner}, ${left(answer)}` : 'not leased');
      return EXIT.ok;
    }
    case 'take':
      await take(bridge, options, io, tell);
      return EXIT.ok;
    case 'renew': {
      const answer = await bridge.call('POST', `lease/${idOf(options, io)}/renew`);
      tell(answer, `renewed for ${answer.owner}, ${left(answer)}`);
      return EXIT.ok;
    }
    case 'release': {
      const answer = await release(bridge, idOf(options, io), options);
      tell(answer, options.asIs ? 'released, the rig is left as it is' : 'released, the rig is safe');
      return EXIT.ok;
    }
  }
}

async function take(
  bridge: BridgeCalls,
  options: LeaseOptions,
  io: Io,
  tell: (answer: JsonObject, line: string) => void,
): Promise<void> {
  const owner = options.owner ?? ownerOf(io);
  const answer = await bridge.call('POST', 'lease', {
    owner,
    ...(options.ttl === undefined ? {} : { ttl_ms: ttlOf(options.ttl) }),
  });
  const id = String(answer.lease_id);
  const ttlMs = Number(answer.ttl_ms);
  if (!options.keep) {
    tell(answer, `${id}`);
    io.stderr.write(
      `leased to ${owner}, ${left(answer)}; without svcctl lease renew the rig is made safe then\n`,
    );
    return;
  }
  tell(answer, `${id}`);
  io.stderr.write(`leased to ${owner} until Ctrl-C; then the rig is made safe\n`);
  await keep(() => bridge.call('POST', `lease/${id}/renew`).then(() => {}), ttlMs / 3, io);
  await release(bridge, id, options);
  io.stderr.write(options.asIs ? 'released, the rig is left as it is\n' : 'released, the rig is safe\n');
}

/** @throws CliError when the safe state at its end is not complete */
const release = (bridge: BridgeCalls, id: string, { asIs }: LeaseOptions): Promise<JsonObject> =>
  bridge.call('DELETE', `lease/${id}${asIs ? '?safe=false' : ''}`);

function idOf({ id }: LeaseOptions, { env }: Io): string {
  const given = id ?? env.SVC_LEASE_ID;
  if (given && /^[0-9a-f]{32}$/.test(given)) return given;
  const what = given ? `"${given}" is not a lease id` : 'needs the id of the lease';
  throw usageError(`lease ${what}: give --id, or SVC_LEASE_ID, as svcctl lease take printed it`);
}

function ownerOf({ env }: Io): string {
  const user = env.SUDO_USER || env.USER || env.LOGNAME;
  if (user) return user;
  throw usageError('lease take needs the name of the holder: give --owner');
}

function ttlOf(ttlMs: number): number {
  if (Number.isInteger(ttlMs) && ttlMs >= MIN_TTL_MS && ttlMs <= MAX_TTL_MS) return ttlMs;
  throw usageError(`--ttl ${ttlMs} ms is not from 1s to 60s: write for example --ttl 30s`);
}

/** An option that would do nothing is a mistake. */
function refuseUnused(action: LeaseAction, { owner, ttl, id, keep: kept, asIs }: LeaseOptions): void {
  const wrong = [
    [owner !== undefined || ttl !== undefined || kept, '--owner, --ttl and --keep', 'take'],
    [id !== undefined, '--id', 'renew', 'release'],
    [asIs, '--as-is', 'take', 'release'],
  ] as const;
  for (const [isGiven, name, ...actions] of wrong)
    if (isGiven && !actions.some((one) => one === action))
      throw usageError(
        `lease ${action} has no use for ${name}: they belong to lease ${actions.join(' and ')}`,
      );
  if (asIs && action === 'take' && !kept)
    throw usageError('--as-is belongs to lease release, or to lease take with --keep');
}

const left = ({ expires_in_ms }: JsonObject): string => `${(Number(expires_in_ms) / 1000).toFixed(1)} s left`;
