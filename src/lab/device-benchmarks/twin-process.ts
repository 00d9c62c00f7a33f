import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SerialSocket } from '../../bench/pty/serial-socket.ts';
import { ModbusTcpSocket } from '../../bench/tcp/modbus-tcp-socket.ts';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { endWithThisProcess, temporaryFolder } from '../../test-kit/end-with-parent.ts';

/** First argument of a program that is to be the twins' process. */
export const TWIN_ROLE = 'twins';

export interface TwinPlaces {
  /** As fast as the kernel carries it. */
  free: string;
  /** 19200 8N1, with the pauses of RS-485. */
  line: string;
  /** The same line at 4 Mbit/s, to warm up. */
  warm: string;
  tcpPort: number;
}

export interface Twins extends TwinPlaces {
  close(): Promise<void>;
}

export const LINE_BAUD = 19_200;

/** The body of the twins' process: reports its places to its parent and ends with it. */
export async function runTwins(): Promise<void> {
  const folder = temporaryFolder('svc-bench-modbus-');
  const end = () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  };
  process.once('disconnect', end);
  const twin = () => new ModbusIoTwin({ clock: systemClock, random: seededRandom(1) });
  const plug = async (name: string, baud: number | undefined) => {
    const link = join(folder, name);
    const rate = { baud: baud ?? LINE_BAUD, atLineRate: baud !== undefined, isPrecise: true };
    const socket = new SerialSocket({ link, slave: twin().slave, clock: systemClock, ...rate });
    await socket.want({ plugged: true });
    return link;
  };
  const places: TwinPlaces = {
    free: await plug('free', undefined),
    line: await plug('line', LINE_BAUD),
    warm: await plug('warm', 4_000_000),
    tcpPort: await new ModbusTcpSocket({ responder: twin().responder, clock: systemClock }).open(),
  };
  process.send?.(places);
}

/** @param program the program that was started, which calls `runTwins` for `TWIN_ROLE` */
export async function startTwins(program: string): Promise<Twins> {
  endWithThisProcess();
  const child: ChildProcess = fork(program, [TWIN_ROLE]);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const places = await new Promise<TwinPlaces>((resolve, reject) => {
    child.once('message', (message) => resolve(message as TwinPlaces));
    void ended.then(() => reject(new Error('the process of the twins ended before it could be used')));
  });
  const close = async () => {
    child.disconnect();
    await ended;
  };
  return { ...places, close };
}
