import { readCoils, writeCoil } from '../../devices/modbus-io/protocol.ts';
import type { ModbusMaster } from '../../devices/modbus-rtu/master.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { LibmodbusClient, type Place } from './libmodbus.ts';

/** Eight coils with FC01, or one coil with FC05; a write is one exchange here, without its read-back. */
export type Operation = 'read' | 'write';

export interface Measured {
  perSecond: number;
  p50Us: number;
  p99Us: number;
  /** Processor time of the master's process alone, microseconds. */
  cpuUs: number;
  /** Resident memory of this process afterwards, MiB; null for a peer. */
  memoryMib: number | null;
}

const UNIT = 1;

/** `count` transactions by our own master, one after the other, each as a job of its own. */
export async function measureOurs(
  master: ModbusMaster,
  operation: Operation,
  count: number,
): Promise<Measured> {
  const { clock } = master;
  const took = new Float64Array(count);
  const cpuBefore = process.cpuUsage();
  const startedAtMs = clock.monotonic();
  for (let index = 0; index < count; index++) {
    const begunAtMs = clock.monotonic();
    if (operation === 'read') await master.run((session) => session.read(readCoils(UNIT)));
    else await master.run((session) => session.write(writeCoil(UNIT, index % 8, (index & 8) !== 0)));
    took[index] = clock.monotonic() - begunAtMs;
  }
  const seconds = (clock.monotonic() - startedAtMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  took.sort();
  return {
    perSecond: count / seconds,
    p50Us: 1000 * (took[count >> 1] ?? Number.NaN),
    p99Us: 1000 * (took[Math.floor(count * 0.99)] ?? Number.NaN),
    cpuUs: (user + system) / count,
    memoryMib: process.memoryUsage().rss / 2 ** 20,
  };
}

/** The same by libmodbus in C, in a process of its own. */
export async function measureLibmodbus(place: Place, operation: Operation, count: number): Promise<Measured> {
  const client = new LibmodbusClient(place);
  try {
    const answer = await client.ask(`bench ${operation} ${count}`);
    const [word, ...rest] = answer.split(' ');
    const [seconds = Number.NaN, cpu = Number.NaN, p50Us = Number.NaN, p99Us = Number.NaN] = rest.map(Number);
    if (word !== 'ok') throw new Error(`libmodbus-client: ${answer}`);
    return { perSecond: count / seconds, cpuUs: (1e6 * cpu) / count, p50Us, p99Us, memoryMib: null };
  } finally {
    await client.close();
  }
}

const ROUNDS = 5;

/** The middle one of some rounds: what else the machine does disturbs some of them. */
export async function middleOf(rounds: () => Promise<Measured>): Promise<Measured> {
  const seen: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) seen.push(await rounds());
  seen.sort((a, b) => a.perSecond - b.perSecond);
  const [middle] = seen.slice(ROUNDS >> 1);
  if (!middle) throw new RangeError('no round was measured');
  return middle;
}

/** Lets the machine calm down after work of another kind. */
export const settle = (clock: Clock): Promise<void> => clock.sleep(200);
