import type { Percent } from '../../lib/quantity.ts';
import type { ModbusRequest } from '../modbus-rtu/request.ts';

/** DFRobot DRI0050 PWM driver: holding registers 0..8, functions 03 and 06. */
export const DEFAULT_UNIT = 0x32;
export const PUMP_BAUD = 9600;
export const PID = 0xc032;
export const VID = 0x3343;
export const MAX_DUTY = 255;

export const REGISTERS = {
  pid: 0,
  vid: 1,
  address: 2,
  version: 5,
  duty: 6,
  prescaler: 7,
  enable: 8,
} as const;

export const readRegister = (unit: number, register: keyof typeof REGISTERS): ModbusRequest => ({
  function: 0x03,
  unit,
  address: REGISTERS[register],
  count: 1,
});

/** Duty, prescaler and enable in one reading. */
export const readState = (unit: number): ModbusRequest => ({
  function: 0x03,
  unit,
  address: REGISTERS.duty,
  count: 3,
});

export const writeRegister = (
  unit: number,
  register: 'duty' | 'prescaler' | 'enable',
  value: number,
): ModbusRequest => ({
  function: 0x06,
  unit,
  address: REGISTERS[register],
  value,
});

/** @param percent 0..100 */
export const dutyOf = (percent: Percent): number => Math.round((percent * MAX_DUTY) / 100);

/** @param duty 0..255 @returns percent, as exact as eight bits allow */
export const percentOf = (duty: number): number => (duty * 100) / MAX_DUTY;

/** PWM frequency, Hz: 45 gives 1019, 255 gives 183. */
export const frequencyOf = (prescaler: number): number => 46_875 / (prescaler + 1);
