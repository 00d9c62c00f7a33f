import type { ModbusRequest } from '../../devices/modbus-rtu/request.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { acquireLock, type Lock, LockHeldError } from '../../lib/lock/lock.ts';
import { serialLockKey } from '../../lib/lock/lock-key.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { hexOf } from '../../transports/hex.ts';
import type { LineErrors } from '../../transports/serial/line-errors.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { combinationText, type LineCombination, sweepOrder } from './combinations.ts';
import { type Exchange, type ExchangeKind, exchange } from './exchange.ts';
import { type Heard, judge, listen } from './listen.ts';

export type ProbeKind = ExchangeKind | 'owned' | 'no_permission' | 'open_failed';

/** What was found on one port. */
export interface PortFinding {
  device: string;
  kind: ProbeKind;
  /** One sentence: what was seen. */
  detail: string;
  /** Bytes that were received, hex, at most 32. */
  bytes: string;
  attempts: number;
  /** Combinations that the budget left untried. */
  untried: number;
  /** Errors that the driver of the port counted during the probe. */
  line_errors: LineErrors | 'unknown';
}

export interface ProbeOutcome {
  /** Every port on which a device answered twice in a row, in order. */
  hits: readonly (LineCombination & { device: string; kind: 'answer' | 'exception' })[];
  ports: readonly PortFinding[];
  attempts: number;
  exhausted: boolean;
}

/** A transport that may know what its driver has counted. */
export type ProbeTransport = ByteTransport & { lineErrors?(): Promise<LineErrors | undefined> };

/** A port that may be probed. */
export interface ProbePort {
  /** The host's own name. */
  device: string;
  /** For this process. */
  path: string;
}

export interface ProbeOptions {
  /** The configured port first. */
  ports: readonly ProbePort[];
  configured: LineCombination | null;
  open: (path: string, combination: LineCombination) => ProbeTransport;
  clock: Clock;
  /** Sweep of one port, ms. */
  budgetMs: number;
  /** All ports together, monotonic ms. */
  deadlineMs: number;
  signal?: AbortSignal | undefined;
  /** Why the ports are left alone for now, asked before each piece of work; undefined: they may be used. */
  whyLeft?: (() => string | undefined) | undefined;
  /** What is known before the sweep, when no device has answered at the configured settings. */
  onFirst?: ((outcome: ProbeOutcome) => void) | undefined;
  /** For people who wait. */
  progress?: ((line: string) => void) | undefined;
}

const LISTEN_MS = 2000;
/** Of one attempt, and of one slice of the listening: the lock is held no longer than 500 ms in one go. */
const PIECE_MS = 400;
const SWEEP_LIMIT_MS = 250;
/** Between two pieces of work on a port, ms: the guard and the bridge try to take its lock every 40 ms. */
export const FREE_MS = 60;
const SHOWN_BYTES = 32;
/** Of the wait for those who took the port meanwhile, all in all; a safe state of the guard takes no longer where devices respond. */
const HELD_LIMIT_MS = 5000;

/** FC01, coil 0: the only request of a probe. */
const requestTo = (unit: number): ModbusRequest => ({ function: 0x01, unit, address: 0, count: 1 });

/** From what proves most to what proves least. */
const RANK: readonly ProbeKind[] = [
  ...(['answer', 'exception', 'echo', 'foreign_traffic', 'garbage', 'silence'] as const),
  ...(['owned', 'no_permission', 'open_failed'] as const),
];

const NO_REPLY: readonly ProbeKind[] = ['echo', 'foreign_traffic', 'garbage'];

/**
 * Looks for a Modbus device: listens, asks with the configured settings, then sweeps; one read of one coil each time. The lock of a
 * port is held for one short piece of work at a time, so that the program that closes the valves gets the port; a port that someone took
 * meanwhile is left to them. A device counts when it answers twice in a row. After a hit the other ports are asked once with the same
 * settings. All ports are asked at the same time, so that many silent ones take no longer than one; in turn where two of them
 * heard something, for they may be on one line and talk into each other's requests.
 */
export async function probePorts(options: ProbeOptions): Promise<ProbeOutcome> {
  const { configured, ports, signal, onFirst } = options;
  const probes = ports.map((port) => new ProbedPort(port, options));
  const hits: (LineCombination & { device: string; kind: 'answer' | 'exception' })[] = [];
  const meet = (port: ProbedPort, combination: LineCombination, kind: 'answer' | 'exception') =>
    hits.push({ ...combination, device: port.device, kind });
  let isInTurn = false;
  const all = async (ask: (port: ProbedPort) => Promise<'answer' | 'exception' | undefined>) => {
    const askOne = async (port: ProbedPort) => (port.maySend ? ask(port) : undefined);
    const asked = await (isInTurn ? settledInTurn(probes, askOne) : Promise.allSettled(probes.map(askOne)));
    // In the order of the ports, whichever answered first. None is still in use when one has failed.
    return probes.flatMap((port, at) => {
      const one = asked[at];
      if (one?.status === 'rejected') throw one.reason;
      return one?.value === undefined ? [] : [[port, one.value] as const];
    });
  };
  const wanted = configured ?? DEFAULT;
  for (const [port, kind] of await all((port) => port.first(wanted))) meet(port, wanted, kind);
  const disturbed = probes.filter(({ hasHeard }) => hasHeard);
  if (disturbed.length > 0 && disturbed.length + hits.length > 1) {
    isInTurn = true;
    const again = async (port: ProbedPort) => (port.hasHeard ? port.again(wanted) : undefined);
    for (const [port, kind] of await all(again)) meet(port, wanted, kind);
  }
  const sweep = sweepOrder(wanted);
  const isOver = () => hits.length > 0 || signal?.aborted === true;
  if (!isOver() && probes.some(({ maySend }) => maySend)) onFirst?.(outcomeOf(probes, hits));
  for (const [index, combination] of sweep.entries()) {
    if (isOver()) break;
    const found = await all(async (port) => {
      if (port.hasTime) return port.ask(combination);
      port.untried ??= sweep.length - index;
      return undefined;
    });
    for (const [port, kind] of found) {
      // It may have started, or been too slow, when it was asked for the first time.
      const asConfigured = await port.again(wanted);
      meet(port, asConfigured ? wanted : combination, asConfigured ?? kind);
    }
  }
  return outcomeOf(probes, hits);
}

/** One after the other; after a failure none is asked any more. */
async function settledInTurn<P, T>(
  ports: readonly P[],
  ask: (port: P) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const settled: PromiseSettledResult<T>[] = [];
  for (const port of ports) {
    const [one] = await Promise.allSettled([ask(port)]);
    settled.push(one);
    if (one.status === 'rejected') break;
  }
  return settled;
}

function outcomeOf(probes: readonly ProbedPort[], hits: ProbeOutcome['hits']): ProbeOutcome {
  return {
    hits,
    ports: probes.map((port) => port.finding(hits.length > 0)),
    attempts: probes.reduce((sum, { attempts }) => sum + attempts, 0),
    exhausted: hits.length === 0 && probes.some(({ untried }) => (untried ?? 0) > 0),
  };
}

const DEFAULT: LineCombination = { baudrate: 19_200, parity: 'N', device_id: 1 };

/** Why a port cannot be used now. */
interface Held {
  held: string;
  /** It is worth waiting. */
  mayPass: boolean;
}

function heldBy(fault: LockHeldError): Held {
  const { holder } = fault;
  return holder?.service === 'svc-guard'
    ? { held: `svc-guard (pid ${holder.pid}) holds the port and makes the rig safe`, mayPass: true }
    : { held: messageOf(fault), mayPass: false };
}

/** One port while it is probed. */
class ProbedPort {
  readonly device: string;
  attempts = 0;
  untried: number | undefined;
  readonly #path: string;
  readonly #options: ProbeOptions;
  /** Monotonic ms of the last release. */
  #freeSince = Number.NEGATIVE_INFINITY;
  #spentMs = 0;
  #best: { kind: ProbeKind; detail: string; bytes: Uint8Array } | undefined;
  #lineErrors: LineErrors | undefined;
  /** Of the wait for those who took the port meanwhile. */
  #heldMs = 0;
  /** Another master is on the line, someone took the port, or it cannot be opened: nothing is sent. */
  #isClosed = false;

  constructor({ device, path }: ProbePort, options: ProbeOptions) {
    this.device = device;
    this.#path = path;
    this.#options = options;
  }

  get maySend(): boolean {
    return !this.#isClosed;
  }

  get hasTime(): boolean {
    const { clock, budgetMs, deadlineMs } = this.#options;
    return this.#spentMs + SWEEP_LIMIT_MS <= budgetMs && clock.monotonic() + SWEEP_LIMIT_MS <= deadlineMs;
  }

  /** Bytes came in while it was asked, none of them a valid reply. */
  get hasHeard(): boolean {
    return this.#best !== undefined && NO_REPLY.includes(this.#best.kind);
  }

  /** Listens, then asks twice with patience. */
  async first(combination: LineCombination): Promise<'answer' | 'exception' | undefined> {
    const { progress } = this.#options;
    progress?.(`${this.device}: listen for ${LISTEN_MS / 1000} s, then ${combinationText(combination)}`);
    const heard = await this.#listen(combination);
    if (heard.kind !== 'silence') this.#note(heard.kind, heard.meaning, heard.bytes);
    if (heard.kind === 'foreign_traffic') this.#isClosed = true;
    return this.again(combination);
  }

  /** Asks twice with patience. */
  again(combination: LineCombination): Promise<'answer' | 'exception' | undefined> {
    return this.#twice(combination, PIECE_MS, true);
  }

  /** In slices; a line with whole frames is left at once. */
  async #listen(combination: LineCombination): Promise<Omit<Heard, 'ms'>> {
    let heard = judge(new Uint8Array());
    for (let ms = 0; ms < LISTEN_MS && heard.kind !== 'foreign_traffic'; ms += PIECE_MS) {
      const slice = await this.#underLock(combination, (transport) =>
        listen(transport, PIECE_MS, this.#options.clock),
      );
      if (!slice) break;
      heard = judge(Uint8Array.from([...heard.bytes, ...slice.bytes]));
    }
    return heard;
  }

  /** One attempt of the sweep; an answer is confirmed by a second one. */
  async ask(combination: LineCombination): Promise<'answer' | 'exception' | undefined> {
    this.#options.progress?.(`${this.device}: ${combinationText(combination)}`);
    return this.#twice(combination, SWEEP_LIMIT_MS, false);
  }

  finding(isFound: boolean): PortFinding {
    const { kind, detail, bytes } = this.#best ?? {
      kind: 'silence',
      detail: 'not asked',
      bytes: new Uint8Array(),
    };
    const { device, attempts } = this;
    const line_errors = this.#lineErrors ?? 'unknown';
    const untried = isFound ? 0 : (this.untried ?? 0);
    return {
      device,
      kind,
      detail,
      bytes: hexOf(bytes.subarray(0, SHOWN_BYTES)),
      attempts,
      untried,
      line_errors,
    };
  }

  /** @param isPatient asks again also after silence */
  async #twice(
    combination: LineCombination,
    timeoutMs: number,
    isPatient: boolean,
  ): Promise<'answer' | 'exception' | undefined> {
    const { clock } = this.#options;
    const request = requestTo(combination.device_id);
    let inARow = 0;
    for (let count = 0; count < (isPatient ? 3 : 2); count++) {
      const reply = await this.#underLock(combination, (transport) => {
        this.attempts++;
        return exchange(transport, request, { timeoutMs, clock });
      });
      if (!reply) return undefined;
      // Time that the line has used: what a busy machine adds must leave no combination untried.
      if (!isPatient) this.#spentMs += Math.min(reply.ms, timeoutMs);
      this.#note(reply.kind, `${replyText(reply)} at ${combinationText(combination)}`, reply.bytes);
      const isValid = reply.kind === 'answer' || reply.kind === 'exception';
      inARow = isValid ? inARow + 1 : 0;
      if (isValid && inARow === 2) return reply.kind as 'answer' | 'exception';
      if (!isValid && (!isPatient || count >= 1)) return undefined;
    }
    return undefined;
  }

  /**
   * One short piece of work, after a pause in which others can take the port. Who took it since its owners were looked for, the
   * guard that makes the rig safe above all, is waited for.
   * @returns undefined when nothing came of it
   */
  async #underLock<T>(
    combination: LineCombination,
    work: (transport: ByteTransport) => Promise<T>,
  ): Promise<T | undefined> {
    const { clock, signal, progress, deadlineMs } = this.#options;
    const pauseMs = this.#freeSince + FREE_MS - clock.monotonic();
    if (pauseMs > 0) await clock.sleep(pauseMs);
    while (!this.#isClosed && !signal?.aborted) {
      const askedAt = clock.monotonic();
      const tried = await this.#try(combination, work);
      if (!('held' in tried)) return tried.result;
      if (!tried.mayPass || this.#heldMs >= HELD_LIMIT_MS || clock.monotonic() >= deadlineMs) {
        this.#note('owned', tried.held);
        this.#isClosed = true;
        return undefined;
      }
      if (this.#heldMs === 0) progress?.(`${this.device}: ${tried.held}; waiting for it`);
      await clock.sleep(FREE_MS);
      this.#heldMs += clock.monotonic() - askedAt;
    }
    return undefined;
  }

  async #try<T>(
    combination: LineCombination,
    work: (transport: ByteTransport) => Promise<T>,
  ): Promise<Held | { result: T | undefined }> {
    const { clock, whyLeft } = this.#options;
    const left = whyLeft?.();
    if (left !== undefined) return { held: left, mayPass: false };
    const since = new Date(clock.now()).toISOString();
    const identity = () => ({ service: 'svcctl', pid: process.pid, port: null, since });
    let lock: Lock;
    try {
      lock = await acquireLock({ key: serialLockKey(this.#path), identity, clock });
    } catch (fault) {
      if (fault instanceof LockHeldError) return heldBy(fault);
      throw fault;
    }
    try {
      return await this.#open(combination, work);
    } finally {
      await lock.release();
      this.#freeSince = clock.monotonic();
    }
  }

  async #open<T>(
    combination: LineCombination,
    work: (transport: ByteTransport) => Promise<T>,
  ): Promise<Held | { result: T | undefined }> {
    const transport = this.#options.open(this.#path, combination);
    try {
      await transport.open();
    } catch (fault) {
      const kind = kindOf(fault);
      if (kind === 'owned') return { held: messageOf(fault), mayPass: true };
      this.#note(kind, messageOf(fault));
      // A rate that the adapter refuses is no reason to give up the port.
      if (this.attempts === 0) this.#isClosed = true;
      return { result: undefined };
    }
    try {
      const before = await transport.lineErrors?.();
      const result = await work(transport);
      this.#count(before, await transport.lineErrors?.());
      return { result };
    } catch (fault) {
      this.#note(kindOf(fault), messageOf(fault));
      this.#isClosed = true;
      return { result: undefined };
    } finally {
      await transport.close();
    }
  }

  #count(before: LineErrors | undefined, after: LineErrors | undefined): void {
    if (!before || !after) return;
    const sum = this.#lineErrors ?? { frame: 0, parity: 0, overrun: 0, break: 0 };
    this.#lineErrors = {
      frame: sum.frame + after.frame - before.frame,
      parity: sum.parity + after.parity - before.parity,
      overrun: sum.overrun + after.overrun - before.overrun,
      break: sum.break + after.break - before.break,
    };
  }

  #note(kind: ProbeKind, detail: string, bytes: Uint8Array = new Uint8Array()): void {
    const isReply = (one: ProbeKind) => one === 'answer' || one === 'exception';
    const best = this.#best?.kind;
    // The last reply counts: it is the one that was confirmed. Else, whatever was seen before, the port is another's now.
    if (best !== undefined && (isReply(best) ? !isReply(kind) : kind !== 'owned' && isBetter(best, kind)))
      return;
    this.#best = { kind, detail, bytes };
  }
}

/** Or as good. */
const isBetter = (best: ProbeKind, kind: ProbeKind): boolean => RANK.indexOf(best) <= RANK.indexOf(kind);

function kindOf(fault: unknown): ProbeKind {
  if (!(fault instanceof TransportError)) return 'open_failed';
  if (fault.code === 'port_permission') return 'no_permission';
  return fault.code === 'port_busy' ? 'owned' : 'open_failed';
}

function replyText({ kind, exception, ms }: Exchange): string {
  switch (kind) {
    case 'answer':
      return `a valid reply after ${Math.round(ms)} ms`;
    case 'exception':
      return `Modbus exception ${exception}`;
    case 'echo':
      return 'only the request came back';
    case 'foreign_traffic':
      return 'a frame of another device';
    case 'garbage':
      return 'bytes that are no frame';
    case 'silence':
      return 'no reply';
  }
}
