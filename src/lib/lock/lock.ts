import { createServer, type Server } from 'node:net';
import { type Clock, systemClock } from '../clock/clock.ts';
import { CodedError } from '../errors/coded-error.ts';
import { askHolder } from './ask-holder.ts';
import { lockAddress } from './lock-key.ts';

/** Who holds a lock. */
export interface LockHolder {
  service: string;
  pid: number;
  /** HTTP port of the holder; null while it has none. */
  port: number | null;
  /** ISO time. */
  since: string;
  /** Ids of the runs that it carries on; absent where it runs none. */
  runs?: readonly string[];
}

/**
 * The lock belongs to another owner. `holder` is null when it holds the lock but does not say who it is, or belongs
 * to another account (`isForeign`) and could say anything.
 */
export class LockHeldError extends CodedError {
  readonly key: string;
  readonly holder: LockHolder | null;
  readonly isForeign: boolean;

  constructor(key: string, holder: LockHolder | null, isForeign = false) {
    const who = holder
      ? `${holder.service} (pid ${holder.pid}, port ${holder.port ?? 'none'}, since ${holder.since})`
      : isForeign
        ? 'a program of another account, which is not an owner of this rig'
        : 'an unidentified program';
    const remedy = isForeign
      ? 'as root, find it by ss -xlp, stop it, and run all services under one account'
      : 'stop it to free the device';
    super('held_by_other', `${key} is held by ${who}; ${remedy}`);
    this.key = key;
    this.holder = holder;
    this.isForeign = isForeign;
  }
}

/** The lock could not be taken for another reason than a holder. */
export class LockError extends CodedError {}

export interface Lock {
  readonly key: string;
  release(): Promise<void>;
}

export interface LockOptions {
  key: string;
  /** Asked anew for every caller, because the port may be known only later. */
  identity: () => LockHolder;
  clock?: Clock;
}

const ATTEMPTS = 3;
/** In which the sockets of a process that ends are closed. */
const END_MS = 50;

/**
 * Takes a lock that the kernel releases when this process ends: a listening abstract Unix socket. Its scope is the
 * network namespace: a program in another one is not excluded. @throws LockHeldError, LockError
 */
export async function acquireLock({ key, identity, clock = systemClock }: LockOptions): Promise<Lock> {
  const address = lockAddress(key);
  for (let attempt = 1; ; attempt++) {
    const server = await listen(address, key, identity);
    if (server) return { key, release: () => new Promise((resolve) => server.close(() => resolve())) };
    const answer = await askHolder(address, clock);
    // Gone between the two calls: the lock is free again. A holder that stays silent still holds it.
    if (answer === 'gone' && attempt < ATTEMPTS) continue;
    // One that has ended since its answer looks foreign: the kernel does not say any more whose it was.
    if (answer === 'foreign' && attempt < ATTEMPTS) {
      await clock.sleep(END_MS);
      continue;
    }
    throw new LockHeldError(key, typeof answer === 'string' ? null : answer, answer === 'foreign');
  }
}

function listen(address: string, key: string, identity: () => LockHolder): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(`${JSON.stringify(identity())}\n`);
    });
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') resolve(undefined);
      else reject(new LockError('lock_failed', `lock ${key} cannot be taken: ${cause.message}`, { cause }));
    });
    server.listen(address, () => resolve(server));
  });
}
