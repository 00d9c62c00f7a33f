import { RtuLine } from '../../../devices/modbus-rtu/line.ts';
import type { ReplyTimingOptions } from '../../../devices/modbus-rtu/timing.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import { acquireLock, type Lock, type LockOptions } from '../../../lib/lock/lock.ts';
import { openByteTransport, parityOf } from '../../../transports/index.ts';
import type { ModbusRtuConnection, Plugin } from '../../configuration/types.ts';
import { Shared } from './shared.ts';

/** An open line, and what is wrong with its port. */
export interface OpenLine {
  line: RtuLine;
  warnings: () => Promise<string[]>;
}

/** The Modbus RTU lines of a set of devices: each port is opened, and locked, once for all devices on its line. */
export class ModbusLines {
  readonly #lines = new Map<string, Shared<OpenLine>>();
  readonly #locks = new Map<string, Shared<Lock>>();

  /** The line of a connection; one of its own where the connection names none. */
  lineOf(
    connection: ModbusRtuConnection,
    plugins: readonly Plugin[],
    plugin: Plugin,
    clock: Clock,
  ): Shared<OpenLine> {
    const name = connection.line?.name;
    const known = name === undefined ? undefined : this.#lines.get(name);
    if (known) return known;
    const users = name === undefined ? [plugin] : plugins.filter(({ connection: one }) => isOn(name, one));
    const made = new Shared(
      () => openLine(connection, replyTimes(users), clock),
      ({ line }) => line.close(),
    );
    if (name !== undefined) this.#lines.set(name, made);
    return made;
  }

  /** The lock of a port that devices of this process share. @throws LockHeldError, LockError */
  async takeLock(options: LockOptions): Promise<Lock> {
    const shared =
      this.#locks.get(options.key) ??
      new Shared(
        () => acquireLock(options),
        (lock) => lock.release(),
      );
    this.#locks.set(options.key, shared);
    const { release } = await shared.take();
    return { key: options.key, release };
  }
}

/** Whether an actuator has to be read back on the line of this plugin. */
export function isBesideActuator({ connection }: Plugin, plugins: readonly Plugin[]): boolean {
  if (connection?.type !== 'modbus-rtu' || connection.line === undefined) return false;
  const { name } = connection.line;
  return plugins.some(({ isActuator, connection: one }) => isActuator && isOn(name, one));
}

const isOn = (name: string, connection: Plugin['connection']): boolean =>
  connection?.type === 'modbus-rtu' && connection.line?.name === name;

async function openLine(
  { serialPort, baudrate: baud, parity, line: settings }: ModbusRtuConnection,
  times: ReplyTimingOptions,
  clock: Clock,
): Promise<OpenLine> {
  const transport = openByteTransport(serialPort, {
    baud,
    parity: parityOf(parity) ?? 'none',
    rs485: settings?.rs485,
  });
  const { turnaroundMs, quietMs } = settings ?? {};
  const line = new RtuLine({ ...times, turnaroundMs, quietMs, clock, transport, baud });
  await line.open();
  return { line, warnings: async () => (await transport.warnings?.()) ?? [] };
}

/** The longest one reply is waited for. */
const REPLY_TIMEOUT_MS = 500;
/** Of a short `timeout`: the rest is for the silence before the request and its way. */
const REPLY_SHARE = 0.8;

/**
 * Times that suit all devices on a line: the longest of them, and the most attempts. Beside actuators the times of other
 * devices do not count: a lost actuator has to be noticed within 1 s (DEV-056).
 */
export function replyTimes(
  plugins: readonly Pick<Plugin, 'isActuator' | 'timeoutMs' | 'retryCount'>[],
): ReplyTimingOptions {
  const actuators = plugins.filter(({ isActuator }) => isActuator);
  const users = actuators.length > 0 ? actuators : plugins;
  const totalMs = Math.max(...users.map(({ timeoutMs }) => timeoutMs));
  return {
    replyTimeoutMs: Math.min(REPLY_TIMEOUT_MS, REPLY_SHARE * totalMs),
    totalMs,
    attempts: Math.max(...users.map(({ retryCount }) => retryCount)) + 1,
  };
}
