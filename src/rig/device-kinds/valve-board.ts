import { ModbusIo } from '../../devices/modbus-io/driver.ts';
import { modbus } from '../configuration/connection-schemas.ts';
import { VALVES_PER_BOARD } from '../hardware/ports.ts';
import { modbusAccess } from '../hardware/real/modbus-access.ts';
import { drivenValves } from '../hardware/real/valves.ts';
import type { ValveDevice } from '../hardware/rig-device.ts';
import { defineDeviceKind, type Opening } from './device-kind.ts';

/** Boards in the order of their numbers: valve-1 to valve-8 are outputs of the first, and so on. */
const BOARDS = ['modbus-io', 'modbus-io-2'] as const;
/** Two on a line differ: boards leave the factory as unit 1, the second one is ours to set. */
const UNIT_IDS: Readonly<Record<string, number>> = { 'modbus-io-2': 2 };
const OFF_BY_HAND = 'disconnect the supply of the valves and check that each is closed';
const SAFE_STATE = {
  valves_off: { order: 4, capMs: 1400, byHand: OFF_BY_HAND },
  valves_verify: { order: 5, capMs: 1000, byHand: OFF_BY_HAND },
} as const;

/** The boards of eight valves: Modbus RTU IO 8CH, at 19200 baud. */
export const valveBoard = defineDeviceKind({
  role: 'valves',
  kind: 'valve-board',
  names: BOARDS,
  title: 'the valves',
  remedy: 'check supply and RS-485 wires of the valve board, then svcctl doctor',
  healthKey: 'modbus',
  adapter: { name: 'Modbus RTU IO 8CH', protocol: 'modbus-rtu', description: 'valves, IO controller' },
  connections: (name) => modbus({ baudrate: 19_200, unitId: UNIT_IDS[name] ?? 1 }),
  withoutFile: {
    'modbus-io': { type: 'modbus-rtu', params: { serial_port: '/dev/ttyACM1', baudrate: 19_200 } },
  },
  variables: (
    [
      ['SVC_MODBUS_SERIAL_PORT', 'serial_port'],
      ['SVC_MODBUS_BAUD', 'baudrate'],
      ['SVC_MODBUS_PARITY', 'parity'],
      ['SVC_MODBUS_DEVICE_ID', 'device_id'],
    ] as const
  ).map(([name, parameter]) => ({
    ...{ name, parameter, plugin: 'modbus-io', type: 'modbus-rtu' as const },
    isNumber: parameter === 'baudrate' || parameter === 'device_id',
  })),
  owner: null,
  safeState: SAFE_STATE,
  peripherals: (plugin) =>
    Array.from({ length: VALVES_PER_BOARD }, (_, coil) => {
      const number = boardOf(plugin) * VALVES_PER_BOARD + coil + 1;
      return { id: `valve-${number}`, name: `Valve ${number}`, unit: null };
    }),
  watch: {
    // A loss is acted on within 1 s (DEV-056).
    lostAfterMs: 950,
    look: async (readers, plugin, signal, withinMs) => {
      const states = await readers.readBoard(boardOf(plugin), signal, withinMs);
      const first = boardOf(plugin) * VALVES_PER_BOARD + 1;
      return states.flatMap((isOpen, coil) => (isOpen ? [`valve-${first + coil}`] : []));
    },
  },
  probe: {
    limitMs: 2000,
    late: (path) => {
      const adapter = path === null ? '' : 'USB-serial adapter visible, ';
      const message = `read_coils timed out; ${adapter}RTU module did not answer`;
      return { status: 'error', code: 'modbus_no_response', message };
    },
  },
});

export const openValves: Opening<ValveDevice> = (options) => {
  const boards = BOARDS.map((id) => ({
    id,
    access: modbusAccess(options, id, (line, unit) => {
      const driver = new ModbusIo(line, { unit, device: id });
      return { driver, start: () => driver.start(), probe: () => driver.probe() };
    }),
  }));
  const { valves_off: off, valves_verify: verify } = SAFE_STATE;
  return drivenValves(boards, options.clock, { valves_off: off.capMs, valves_verify: verify.capMs });
};

/** 0 is the first. */
const boardOf = (plugin: string): number => (BOARDS as readonly string[]).indexOf(plugin);

export const isValveBoard = (plugin: string): boolean => boardOf(plugin) >= 0;
