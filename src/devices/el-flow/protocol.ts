import { type ModbusRequest, unpackWords } from '../modbus-rtu/request.ts';

/**
 * Bronkhorst EL-FLOW thermal mass flow meter (F-1xx) with Modbus RTU, as the Modbus registers of "EL-FLOW Base" (9.17.061)
 * and "EL-FLOW Select" (9.17.099) have it, with the meaning of the parameters from "Operational instructions for digital
 * multibus instruments" (9.17.023). Holding registers, function 03, high word first. Nothing is ever written.
 */
const PARAMETERS = {
  /** Flow in percent of the capacity: 32000 is 100 %. */
  measure: { address: 0x0020, registers: 1 },
  /** Bits of `ALARMS`. */
  alarmInfo: { address: 0x0034, registers: 1 },
  /** Flow at 100 %, a float in the capacity unit. */
  capacity: { address: 0x8168, registers: 2 },
  /** 7 characters, for example `ln/min`. */
  capacityUnit: { address: 0x81f8, registers: 4 },
  /** Flow, a float in the capacity unit. */
  fmeasure: { address: 0xa100, registers: 2 },
  /** 6 characters. */
  deviceType: { address: 0xf108, registers: 3 },
} as const;

export type Parameter = keyof typeof PARAMETERS;

/** Device type of a meter; a controller, which has a valve of its own, is DMFC. */
export const METER = 'DMFM';

/** Lowest and highest output, as parts of the capacity: `measure` 41943 and 41942 (9.17.023 section 4). */
export const OUTPUT_LIMITS = { low: (41_943 - 65_536) / 32_000, high: 41_942 / 32_000 };

/** Bits of the alarm info with which the flow is no measurement; the others are limits that someone has set. */
export const ALARMS = [
  { bit: 0, alarm: 'error' },
  { bit: 7, alarm: 'hardware error' },
] as const;

/** Capacity units that can be used, and the litres in one. A normal litre (n) is at 0 °C and 1013.25 hPa. */
const LITRES: Readonly<Record<string, number>> = { 'ln/min': 1, 'mln/min': 1e-3 };
export const CAPACITY_UNITS = Object.keys(LITRES).join(' or ');

/** @returns undefined for a unit that means litres at another temperature, or no flow in litres */
export const litresIn = (capacityUnit: string): number | undefined => LITRES[capacityUnit];

export const readParameter = (unit: number, parameter: Parameter): ModbusRequest => ({
  function: 0x03,
  unit,
  address: PARAMETERS[parameter].address,
  count: PARAMETERS[parameter].registers,
});

/** @param data of the reply for `capacity` or `fmeasure` */
export const floatOf = (data: Uint8Array): number =>
  new DataView(data.buffer, data.byteOffset, data.byteLength).getFloat32(0);

/** @param data of the reply for a text, which ends at its first zero */
export const textOf = (data: Uint8Array): string =>
  Buffer.from(data).toString('latin1').split('\0', 1).join('').trimEnd();

/** @param data of the reply for `alarmInfo` @returns the alarms with which the flow is no measurement */
export const alarmsOf = (data: Uint8Array): string[] => {
  const [info = 0] = unpackWords(data);
  return ALARMS.flatMap(({ bit, alarm }) => (info & (1 << bit) ? [alarm] : []));
};

/** The register at `address` of a meter with these values; undefined where it has none. */
export function registerOf(
  values: Readonly<Record<Parameter, number | string>>,
  address: number,
): number | undefined {
  for (const [name, parameter] of Object.entries(PARAMETERS)) {
    const index = address - parameter.address;
    if (index < 0 || index >= parameter.registers) continue;
    return unpackWords(bytesOf(values[name as Parameter], parameter.registers))[index];
  }
  return undefined;
}

function bytesOf(value: number | string, registers: number): Buffer {
  const bytes = Buffer.alloc(2 * registers);
  if (typeof value === 'string') bytes.write(value, 'latin1');
  else if (registers === 1) bytes.writeUInt16BE(value);
  else bytes.writeFloatBE(value);
  return bytes;
}
