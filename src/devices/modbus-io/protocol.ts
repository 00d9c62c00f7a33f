import { type ModbusRequest, unpackBits, unpackWords } from '../modbus-rtu/request.ts';

/**
 * Waveshare Modbus RTU IO 8CH as a service uses it. There is deliberately no request here for
 * toggle (5500), broadcast, or a write to 2000 (line settings) and 4000 (address).
 */
export const COILS = 8;
/** Coil address that means all eight. */
export const ALL_COILS = 0x00ff;
export const MODE_REGISTERS = 0x1000;
/** The line speed the product ships with; the board leaves its factory at 9600. */
export const DEFAULT_BAUD = 19200;

/** Output modes of registers 1000-1007. Only `normal` obeys coil writes alone. */
export const OUTPUT_MODES = ['normal', 'follows input', 'toggled by input', 'edge'] as const;

export const readCoils = (unit: number, address = 0, count = COILS): ModbusRequest => ({
  function: 0x01,
  unit,
  address,
  count,
});

export const readInputs = (unit: number): ModbusRequest => ({
  function: 0x02,
  unit,
  address: 0,
  count: COILS,
});

export const writeCoil = (unit: number, coil: number, on: boolean): ModbusRequest => ({
  function: 0x05,
  unit,
  address: coil,
  on,
});

export const allCoilsOff = (unit: number): ModbusRequest => writeCoil(unit, ALL_COILS, false);

export const readModes = (unit: number): ModbusRequest => ({
  function: 0x03,
  unit,
  address: MODE_REGISTERS,
  count: COILS,
});

export const readVersion = (unit: number): ModbusRequest => ({
  function: 0x03,
  unit,
  address: 0x8000,
  count: 1,
});

/** @param data of the reply to `readCoils` or `readInputs` */
export const coilsOf = (data: Uint8Array, count = COILS): boolean[] => unpackBits(data, count);

/** @param data of the reply to `readModes` */
export const modesOf = (data: Uint8Array): number[] => unpackWords(data);
