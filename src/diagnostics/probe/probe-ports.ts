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
import { listen } from './listen.ts';

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
  /** For people who wait. */
  progress?: ((line: string) => void) | undefined;
}

const LISTEN_MS = 2000;
const CONFIGURED_LIMIT_MS = 1000;
/** A device that answers within its turnaround limit and after the time-out is slow, not silent. */
const LATE_MS = 700;
const SWEEP_LIMIT_MS = 250;
const SHOWN_BYTES = 32;

/** FC01, coil 0: the only request of a probe. */
const requestTo = (unit: number): ModbusRequest => ({ function: 0x01, unit, address: 0, count: 1 });

/** From what proves most to what proves least. */
const RANK: readonly ProbeKind[] = [
  ...(['answer', 'exception', 'late', 'echo', 'foreign_traffic', 'garbage', 'silence'] as const),
  ...(['owned', 'no_permission', 'open_failed'] as const),
];

/**
 * Looks for a Modbus device: listens, asks with the configured settings, then sweeps; one read of one coil each time, each port under
 * its lock. A device counts when it answers twice in a row. After a hit the other ports are asked once with the same settings.
 */
export async function probePorts(options: ProbeOptions): Promise<ProbeOutcome> {
  const { configured, ports, signal } = options;
  const open: OpenedPort[] = [];
  const findings = new Map<string, PortFinding>();
  const probes = ports.map((port) => new OpenedPort(port, options));
  const hits: (LineCombination & { device: string; kind: 'answer' | 'exception' })[] = [];
  const meet = (port: OpenedPort, combination: LineCombination, kind: 'answer' | 'exception') =>
    hits.push({ ...combination, device: port.device, kind });
  try {
    for (const port of probes) {
      if (!(await port.lock())) continue;
      open.push(port);
      if (hits.length > 0) continue;
      const kind = await port.first(configured ?? DEFAULT);
      if (kind) meet(port, configured ?? DEFAULT, kind);
    }
    const sweep = sweepOrder(configured ?? DEFAULT);
    const isOver = () => hits.length > 0 || signal?.aborted === true;
    for (const [index, combination] of sweep.entries()) {
      if (isOver()) break;
      for (const port of open) {
        if (isOver()) break;
        if (!port.maySend) continue;
        const kind = port.hasTime ? await port.ask(combination) : undefined;
        if (kind) meet(port, combination, kind);
        else if (!port.hasTime) port.untried ??= sweep.length - index;
      }
    }
    const [hit] = hits;
    for (const port of open)
      if (hit && port.device !== hit.device && port.maySend && !signal?.aborted) {
        const kind = await port.ask(hit);
        if (kind) meet(port, hit, kind);
      }
  } finally {
    for (const port of probes) {
      await port.release();
      findings.set(port.device, port.finding(hits.length > 0));
    }
  }
  return {
    hits,
    ports: [...findings.values()],
    attempts: probes.reduce((sum, { attempts }) => sum + attempts, 0),
    exhausted: hits.length === 0 && probes.some(({ untried }) => (untried ?? 0) > 0),
  };
}

const DEFAULT: LineCombination = { baudrate: 19_200, parity: 'N', device_id: 1 };

/** One port while it is probed. */
class OpenedPort {
  readonly device: string;
  attempts = 0;
  untried: number | undefined;
  readonly #path: string;
  readonly #options: ProbeOptions;
  #lock: Lock | undefined;
  #spentMs = 0;
  #best: { kind: ProbeKind; detail: string; bytes: Uint8Array } | undefined;
  #lineErrors: LineErrors | undefined;
  /** Another master is on the line, or the port cannot be opened: nothing is sent. */
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

  /** @returns false when another program owns the port */
  async lock(): Promise<boolean> {
    const since = new Date(this.#options.clock.now()).toISOString();
    const identity = () => ({ service: 'svcctl', pid: process.pid, port: null, since });
    try {
      this.#lock = await acquireLock({
        key: serialLockKey(this.#path),
        identity,
        clock: this.#options.clock,
      });
      return true;
    } catch (fault) {
      if (!(fault instanceof LockHeldError)) throw fault;
      this.#note('owned', messageOf(fault));
      this.#isClosed = true;
      return false;
    }
  }

  /** Listens, then asks twice with patience. */
  async first(combination: LineCombination): Promise<'answer' | 'exception' | undefined> {
    const { clock, progress } = this.#options;
    progress?.(`${this.device}: listen for ${LISTEN_MS / 1000} s, then ${combinationText(combination)}`);
    return this.#on(combination, async (transport) => {
      const heard = await listen(transport, LISTEN_MS, clock);
      if (heard.kind !== 'silence') this.#note(heard.kind, heard.meaning, heard.bytes);
      if (heard.kind === 'foreign_traffic') {
        this.#isClosed = true;
        return undefined;
      }
      return this.#twice(transport, combination, CONFIGURED_LIMIT_MS, true);
    });
  }

  /** One attempt of the sweep; an answer is confirmed by a second one. */
  async ask(combination: LineCombination): Promise<'answer' | 'exception' | undefined> {
    const { clock, progress } = this.#options;
    const startedAt = clock.monotonic();
    progress?.(`${this.device}: ${combinationText(combination)}`);
    try {
      return await this.#on(combination, (transport) =>
        this.#twice(transport, combination, SWEEP_LIMIT_MS, false),
      );
    } finally {
      this.#spentMs += clock.monotonic() - startedAt;
    }
  }

  async release(): Promise<void> {
    await this.#lock?.release();
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
    transport: ByteTransport,
    combination: LineCombination,
    timeoutMs: number,
    isPatient: boolean,
  ): Promise<'answer' | 'exception' | undefined> {
    const { clock, signal } = this.#options;
    const request = requestTo(combination.device_id);
    let inARow = 0;
    for (let count = 0; count < (isPatient ? 3 : 2); count++) {
      if (signal?.aborted) return undefined;
      this.attempts++;
      const lateMs = isPatient && count === 1 ? LATE_MS : 0;
      const reply = await exchange(transport, request, { timeoutMs, lateMs, clock });
      this.#note(reply.kind, `${replyText(reply)} at ${combinationText(combination)}`, reply.bytes);
      const isValid = reply.kind === 'answer' || reply.kind === 'exception';
      inARow = isValid ? inARow + 1 : 0;
      if (isValid && inARow === 2) return reply.kind as 'answer' | 'exception';
      if (!isValid && (!isPatient || count >= 1)) return undefined;
    }
    return undefined;
  }

  async #on<T>(
    combination: LineCombination,
    work: (transport: ByteTransport) => Promise<T>,
  ): Promise<T | undefined> {
    const transport = this.#options.open(this.#path, combination);
    try {
      await transport.open();
    } catch (fault) {
      this.#note(kindOf(fault), messageOf(fault));
      // A rate that the adapter refuses is no reason to give up the port.
      if (this.attempts === 0) this.#isClosed = true;
      return undefined;
    }
    try {
      const before = await transport.lineErrors?.();
      const result = await work(transport);
      this.#count(before, await transport.lineErrors?.());
      return result;
    } catch (fault) {
      this.#note(kindOf(fault), messageOf(fault));
      this.#isClosed = true;
      return undefined;
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
    if (this.#best && RANK.indexOf(this.#best.kind) <= RANK.indexOf(kind)) return;
    this.#best = { kind, detail, bytes };
  }
}

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
    case 'late':
      return `the reply came after ${Math.round(ms)} ms`;
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
