import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialSocket } from '../../bench/pty/serial-socket.ts';
import { Dri0050Twin } from '../../devices/dri0050/twin.ts';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { RtuBus } from '../../devices/modbus-rtu/bus.ts';
import type { TwinEvent } from '../../devices/twin-event.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';

export const BAUD = 19_200 as const;

/** Two valve boards (units 1 and 2) and a pump (unit 50) on one line behind a real pseudo-terminal; for tests. */
export async function openSharedLine() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-line-'));
  /** What the devices received and sent, in order; with their names. */
  const seen: { device: string; event: TwinEvent }[] = [];
  const made = (device: string) => ({
    clock: systemClock,
    // The frames are handed over whole, no sooner than the line could have carried them.
    lineClock: systemClock,
    lineBaud: BAUD,
    random: seededRandom(1),
    listener: (event: TwinEvent) => void seen.push({ device, event }),
  });
  const first = new ModbusIoTwin(made('modbus-io'));
  const second = new ModbusIoTwin(made('modbus-io-2'));
  second.knobs.patch({ device_id: 2 });
  const pump = new Dri0050Twin({ ...made('pump-motor'), baud: BAUD });
  const link = join(folder, 'line');
  const socket = new SerialSocket({
    link,
    slave: new RtuBus([first.slave, second.slave, pump.slave]),
    clock: systemClock,
    baud: BAUD,
    atLineRate: false,
  });
  await socket.want({ plugged: true });
  const close = async () => {
    await socket.want({ plugged: false });
    rmSync(folder, { recursive: true, force: true });
  };
  return { link, socket, first, second, pump, seen, close };
}

/** `svc.yaml` of a rig with all three on that line. @param line further keys of the line */
export const sharedLineYaml = (link: string, line = ''): string => `
lines: {bus: {port: "${link}", baud: ${BAUD}${line === '' ? '' : `, ${line}`}}}
plugins:
  modbus-io: {connection_type: modbus-rtu, connection_params: {line: bus}}
  modbus-io-2: {connection_type: modbus-rtu, connection_params: {line: bus}}
  pump-motor: {connection_type: modbus-rtu, connection_params: {line: bus}}
`;
