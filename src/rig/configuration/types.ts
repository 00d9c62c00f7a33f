import type { LitresPerMinute, Milliseconds, Percent, Seconds } from '../../lib/quantity.ts';

/** `mock`: answers come from the plant and no device is opened. `real`: devices, or twins behind real transports. */
export type HardwareMode = 'mock' | 'real';

export interface HttpConnection {
  type: 'http';
  baseUrl: string;
}

export interface ModbusRtuConnection {
  type: 'modbus-rtu';
  /** Device address: a path or `serial:<path>?baud=...`. */
  serialPort: string;
  baudrate: number;
  parity: 'N' | 'E' | 'O';
  /** 1..247 */
  deviceId: number;
  /** The line of `lines` that the device is on, perhaps with others; undefined for a port of its own. */
  line?: SerialLine | undefined;
}

/** What a line of `svc.yaml` says besides port, baud and parity. */
export interface SerialLine {
  name: string;
  /** The longest that its slowest device takes to answer, ms. */
  turnaroundMs: Milliseconds;
  /** How long nothing is sent after a fault, ms; undefined: turnaround and 3.5 characters. */
  quietMs?: Milliseconds | undefined;
  rs485?: SerialLineRs485 | undefined;
}

/** RTS switches the driver of the line. */
export interface SerialLineRs485 {
  active: 'high' | 'low';
  delayBeforeMs: Milliseconds;
  delayAfterMs: Milliseconds;
}

export interface ModbusTcpConnection {
  type: 'modbus-tcp';
  host: string;
  port: number;
  deviceId: number;
}

export interface UsbConnection {
  type: 'usb';
  /** Device address: `usb:1ffb:00c9`, or `bench:<socket>` for a twin. */
  address: string;
  /** Serial number of the device; null takes the first matching one. */
  serial: string | null;
}

export interface I2cConnection {
  type: 'i2c';
  /** Device address of the bus: `/dev/i2c-1` or `bench:<socket>`. */
  bus: string;
  /** 7-bit chip address. */
  address: number;
}

export type Connection =
  | HttpConnection
  | ModbusRtuConnection
  | ModbusTcpConnection
  | UsbConnection
  | I2cConnection;

export interface Plugin {
  /** Its name in `svc.yaml`. */
  id: string;
  /** Word of its device kind. */
  kind: string;
  /** It takes part in the safe state. */
  isActuator: boolean;
  enabled: boolean;
  /** Undefined when the entry cannot be used; `fault` then says why. The plugin stays visible as `config_error`. */
  connection: Connection | undefined;
  fault: string | undefined;
  /** Milliseconds, at most 2500. */
  timeoutMs: Milliseconds;
  /** Repetitions of a failed read. Writes are never repeated. */
  retryCount: number;
  /** What this one sensor measures, in its own unit; absent: what its kind does. */
  range?: readonly [low: number, high: number];
}

interface CalibrationIdentity {
  id: string;
  /** Unit that comes out. */
  unit: string;
  /** ISO dates or times. A plain due date counts to its end, UTC. */
  calibratedAt?: string;
  dueAt?: string;
  source?: string;
  /** Expanded (k = 2), in `unit`. */
  uncertainty?: number;
  /** When and by whom it was confirmed; unconfirmed when missing. */
  confirmedAt?: string;
  confirmedBy?: string;
}

export interface LinearCalibrationEntry extends CalibrationIdentity {
  kind: 'linear';
  scale: number;
  offset: number;
}

export interface TableCalibrationEntry extends CalibrationIdentity {
  kind: 'table';
  /** Pairs of raw and calibrated value, ascending in raw. */
  points: readonly (readonly [raw: number, out: number])[];
}

export type CalibrationEntry = LinearCalibrationEntry | TableCalibrationEntry;

export interface SensorEntry {
  /** Smallest difference that the sensor can show, volts; for showing values. */
  resolution?: number;
  /** What the converter of this sensor can measure, volts. */
  rangeVolts?: readonly [low: number, high: number];
  calibration?: CalibrationEntry;
}

/** A peripheral without driver: a named value that the bridge only keeps. */
export interface PeripheralEntry {
  name?: string;
  type?: string;
  unit?: string;
}

export interface AdcMap {
  device: string;
  transport: 'http';
  baseUrl: string;
  channels: Readonly<Record<string, { endpoint: string; pin: string; unit: 'V' }>>;
}

/** Bounds of setpoints and of a run; a rig may narrow the ranges of the devices, never widen them. */
export interface Limits {
  /** 0..100. */
  pumpMaxPct: Percent;
  /** Seconds that the pump goes on at most without a renewal of its hold, 1..3600. */
  pumpMaxHoldS: Seconds;
  /** 1..1000000. */
  lungMaxSteps: number;
  /** 1/10000 step/s, 1..500000000. */
  lungMaxSpeed: number;
  /** 1..10000. */
  lungMaxCycles: number;
  /** Seconds that a run may take at most, counted at its worst. */
  runMaxS: Seconds;
}

export const DEFAULT_LIMITS: Limits = {
  pumpMaxPct: 100,
  pumpMaxHoldS: 10,
  lungMaxSteps: 1_000_000,
  lungMaxSpeed: 500_000_000,
  lungMaxCycles: 10_000,
  runMaxS: 12 * 3600,
};

/** While all of `while` hold, `states` must hold too. A state is true for open, on or moving. */
export interface InterlockEntry {
  id: string;
  /** For people; shown with each refusal. */
  reason: string;
  /** Name or alias of an actuator -> state. */
  while: Readonly<Record<string, boolean>>;
  require: 'all' | 'any';
  states: Readonly<Record<string, boolean>>;
}

/** The watchdog relay that carries the supply of valves, pump and lung (docs/hil-bench.md). */
export interface PulseSettings {
  /** Folder in /sys/class/leds. */
  led: string;
  /** Pulses a second, 5..50. */
  hz: number;
  /** File below /sys that reads 1 while the relay is closed and 0 while it is open; undefined where no contact is wired. */
  readBack: string | undefined;
}

/** `svc.yaml` with the environment on top. */
export interface Config {
  hardwareMode: HardwareMode;
  /** Scenario runs refuse bench and simulated data. */
  requireReal: boolean;
  plugins: readonly Plugin[];
  adcMap: AdcMap | undefined;
  aliases: Readonly<Record<string, string>>;
  /** Added key of the hardware health answer -> the short key whose value it repeats. */
  healthKeys: Readonly<Record<string, string>>;
  sensors: Readonly<Record<string, SensorEntry>>;
  /** Voltages at rest for the function check, volts, both ends included. */
  windows: Readonly<Record<'ai01' | 'ai02' | 'ai03', readonly [low: number, high: number]>>;
  peripherals: Readonly<Record<string, PeripheralEntry>>;
  limits: Limits;
  interlocks: readonly InterlockEntry[];
  /**
   * Relay of the valve board with nothing wired to it, 0..7, for rehearsals of the guard; undefined when there is none.
   */
  testCoil: number | undefined;
  /** Output that feeds the watchdog relay of the actuators' supply; undefined where there is no relay. */
  pulse: PulseSettings | undefined;
  /** Size of the log files of one service, MB, 1..1000. */
  logMaxMb: number;
  /** How long records of runs are kept, days, and how large they may be, MB; undefined: without limit. */
  records: { keepDays: number | undefined; maxMb: number | undefined };
  /** l/min at 100 % power. */
  pumpFullScaleLpm: LitresPerMinute;
  /** Seconds after which an unleased actuation ends in the safe state, 5..3600. */
  manualHoldS: Seconds;
  requireLease: boolean;
}
