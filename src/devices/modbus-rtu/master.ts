import type { Clock } from '../../lib/clock/clock.ts';
import type { JobOptions } from '../../lib/queue/job-queue.ts';
import { DeviceError } from '../device-error.ts';
import type { ModbusRequest } from './request.ts';

/** A reading for which a lost reply must not cost its time-out and the quiet time behind it. */
export interface UrgentRead {
  /** The longest one reply is waited for, milliseconds. */
  replyWithinMs: number;
}

/** What a job may do while the line is its own. */
export interface ModbusSession {
  readonly signal: AbortSignal;
  /** Whether a job of a higher priority waits for the line. */
  isAwaited(): boolean;
  /**
   * As many attempts as the master is set to, in its total time.
   *
   * @param urgent asked once, without waiting until the line may be used again after a lost reply: what is received can
   *   belong to an earlier request, which `ModbusUnit.read` finds out
   * @returns the reply's data bytes
   */
  read(request: ModbusRequest, urgent?: UrgentRead): Promise<Uint8Array>;
  /**
   * One attempt; resolves when the echo is identical. A caller that repeats a write reads back first.
   *
   * @param options.isSentAhead the request can only switch off: where the line is left alone after a lost reply it is
   *   sent right after 3.5 silent characters, several times, and once more when its echo can be trusted. Default false
   */
  write(request: ModbusRequest, options?: { isSentAhead?: boolean }): Promise<void>;
  /**
   * Requests that can only switch off, to a device that is known: where the line is left alone after a lost reply they are
   * sent at once, in turn, three frames in all, and nothing is confirmed by it. On a line that may be used nothing is sent.
   */
  sendAhead(...requests: readonly ModbusRequest[]): Promise<void>;
  /** How many replies to earlier requests, whoever sent them, could still come and be taken for that to `request`. */
  strayReplies(request: ModbusRequest): number;
  /** The answer to `request` was found to be another's: its own is still to come, and is waited for. */
  markAbandoned(request: ModbusRequest): void;
}

/** Whoever speaks to Modbus devices for a driver: an RTU line or a TCP connection. */
export interface ModbusMaster {
  /** Where the devices are: the address of the transport. Named in errors. */
  readonly endpoint: string;
  /** Grows with every opening of the port; a device must be identified anew when it has changed. */
  readonly generation: number;
  readonly clock: Clock;
  /**
   * Runs `work` when the line is free: one job at a time, in order, safe-state jobs first.
   *
   * @throws DeviceError `device_busy`, `aborted`, `superseded`, `device_timeout`, `device_unavailable`, and whatever
   *   `work` throws. After anything but `device_busy` a write may have reached the device.
   */
  run<T>(work: (session: ModbusSession) => Promise<T>, options?: JobOptions): Promise<T>;
}

/**
 * Whether the same request could fare better: no reply was received, or none that is its own. A Modbus exception is a
 * reply, by which the device refuses the request: neither a read nor a write is repeated after one.
 */
export function isWorthRepeating(error: unknown): error is DeviceError {
  return (
    error instanceof DeviceError && (error.code === 'device_timeout' || error.code === 'corrupt_response')
  );
}
