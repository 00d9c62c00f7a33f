import type { Milliseconds } from '../../lib/quantity.ts';
import { DeviceError } from '../device-error.ts';

/** How long a master waits for a reply and how often it asks, milliseconds. */
export interface ReplyTiming {
  /** From the end of a request to the end of its reply. */
  replyTimeoutMs: Milliseconds;
  /** Attempts of one read. */
  attempts: number;
  /** All attempts of one read together. */
  totalMs: Milliseconds;
}

export interface ReplyTimingOptions {
  /** Default 500. */
  replyTimeoutMs?: Milliseconds | undefined;
  /** 1..10, default 2. */
  attempts?: number | undefined;
  /** Default 2000, or the reply timeout when that is longer. */
  totalMs?: Milliseconds | undefined;
}

/** @throws DeviceError `setting_refused` */
export function replyTiming(options: ReplyTimingOptions): ReplyTiming {
  const replyTimeoutMs = setting('reply timeout', options.replyTimeoutMs ?? 500, 1, 60_000, 'ms');
  const attempts = setting('number of attempts', options.attempts ?? 2, 1, 10, '');
  if (!Number.isInteger(attempts)) throw refused('number of attempts', attempts, 1, 10, '');
  const totalMs = options.totalMs ?? Math.max(2000, replyTimeoutMs);
  return { replyTimeoutMs, attempts, totalMs: setting('total time', totalMs, replyTimeoutMs, 600_000, 'ms') };
}

/** Times of one RTU line, milliseconds. Source: Modbus over serial line 2.5.1.1. */
export interface RtuTiming extends ReplyTiming {
  /** Start bit, data bits, parity bit and stop bits of one character. */
  characterMs: Milliseconds;
  /** What must be silent before a request: 3.5 characters, never under 2 ms. */
  silenceMs: Milliseconds;
  /** The longest that a device may take to answer; how long the line is left alone after a fault. */
  turnaroundMs: Milliseconds;
  /**
   * How long after a request that got no good reply its reply is still reckoned with: 10 s, or `turnaroundMs` if
   * longer.
   */
  strayMs: Milliseconds;
  /** Bytes take their time on this line: a reply that arrives sooner than the line can carry it is refused. */
  isPaced: boolean;
}

export interface RtuTimingOptions extends ReplyTimingOptions {
  /** Bits per second, 300 or more. */
  baud: number;
  /** Bits of a character on the wire: 10 for 8N1 (default), 11 with parity or a second stop bit. */
  characterBits?: number | undefined;
  /** The longest the slowest device on this line takes to answer. Default 700. */
  turnaroundMs?: Milliseconds | undefined;
  /** How long the line is left alone after a fault. Default, and least: the turnaround limit and the silence. */
  quietMs?: Milliseconds | undefined;
  /** Least silence before a request. Default 2; less is for measurements only. */
  minimumSilenceMs?: Milliseconds | undefined;
  /** Default 10 s, or `turnaroundMs` if longer; less is for tests on a line whose times are all scaled down. */
  strayMs?: Milliseconds | undefined;
  /** Default true. False only where bytes take no time, as in memory; see `ByteTransport.isPaced`. */
  isPaced?: boolean | undefined;
  /** Silence before a request in characters. Default 3.5; less is for measurements without a line only. */
  silenceCharacters?: number | undefined;
}

/** How long the slowest device is reckoned with (DEV-059). */
const STRAY_MS = 10_000;
/** Characters of silence by which a device knows the end of a request (Modbus over serial line 2.5.1.1). */
const FRAME_GAP = 3.5;
/** Bit rates of master and device differ by up to this share; an asynchronous receiver fails at about 5 %. */
const RATE_ERROR = 0.03;
/** Error of one reading of the clock, milliseconds. */
const CLOCK_ERROR_MS = 0.1;

/**
 * The soonest at which so many bytes of a reply can have arrived, milliseconds from the moment at which the request was
 * handed to the port: the request, the silence that ends it, and the bytes themselves take their time on the line.
 * Everything else (buffers, adapters, the event loop) makes them later only. 0 on a line without a rate.
 */
export function soonestArrivalMs(
  { isPaced, characterMs }: Pick<RtuTiming, 'isPaced' | 'characterMs'>,
  requestBytes: number,
  receivedBytes: number,
): number {
  if (!isPaced) return 0;
  return (requestBytes + FRAME_GAP + receivedBytes) * characterMs * (1 - RATE_ERROR) - CLOCK_ERROR_MS;
}

/** @throws DeviceError `setting_refused` */
export function rtuTiming(options: RtuTimingOptions): RtuTiming {
  const baud = setting('baud', options.baud, 300, 10_000_000, 'bit/s');
  const characterMs = (1000 * setting('character', options.characterBits ?? 10, 7, 12, 'bits')) / baud;
  const silenceMs = Math.max(
    options.minimumSilenceMs ?? 2,
    (options.silenceCharacters ?? FRAME_GAP) * characterMs,
  );
  const slowestMs = setting('turnaround limit', options.turnaroundMs ?? 700, 0, 60_000, 'ms');
  const quietMs = setting('quiet time', options.quietMs ?? slowestMs, slowestMs, 60_000, 'ms');
  // What is left alone for longer counts as slower in all else: a reply is then given more time to be foreign.
  const turnaroundMs = Math.max(slowestMs, quietMs - silenceMs);
  return {
    ...replyTiming(options),
    characterMs,
    silenceMs,
    turnaroundMs,
    strayMs: options.strayMs ?? Math.max(STRAY_MS, turnaroundMs),
    isPaced: options.isPaced ?? true,
  };
}

function setting(name: string, value: number, low: number, high: number, unit: string): number {
  if (value >= low && value <= high) return value;
  throw refused(name, value, low, high, unit);
}

function refused(name: string, value: number, low: number, high: number, unit: string): DeviceError {
  const range = `${low} to ${high} ${unit}`.trim();
  return new DeviceError('setting_refused', `Modbus ${name} ${value} is refused; set ${range}`);
}
