import type { StepResult } from '../safe-state/safe-state.ts';
import type { Component, LungPort, PumpPort, SensorPort, ValvePort, VoltagePort } from './ports.ts';

/** One device of the rig, however it is reached: by a driver in this process, or by the service that owns it. */
export interface RigDevice<Port, Steps extends string = never> {
  readonly port: Port;
  /** Its entry in health and identify. */
  readonly component: Component;
  /** Its part of the safe state. */
  readonly steps: Readonly<Record<Steps, (signal: AbortSignal) => Promise<StepResult>>>;
  /** Opens what can be opened and goes on trying; an absent or held device is not a failure. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export interface ValveDevice extends Omit<RigDevice<ValvePort, 'valves_off' | 'valves_verify'>, 'component'> {
  /** The entry of each board in health and identify. */
  readonly components: readonly Component[];
  /** Opens the port, without a word to the device: a step that follows finds it open. What fails is reported by the step. */
  prepare(): Promise<void>;
}
export type PumpDevice = RigDevice<PumpPort, 'pump_zero'>;
export type LungDevice = RigDevice<LungPort, 'lung_halt' | 'lung_deenergize'>;
export type VoltageDevice = RigDevice<VoltagePort>;
export type SensorDevice = RigDevice<SensorPort>;

export interface RigDevices {
  valves: ValveDevice;
  pump: PumpDevice;
  lung: LungDevice;
  voltages: VoltageDevice;
  /** Sensors in a unit of their own, by their ids. */
  sensors: ReadonlyMap<string, SensorDevice>;
}

/** Told by devices of what happens outside of any call. */
export interface DeviceEvents {
  /** It answers again after it was absent, held or silent: a safe state that could not reach it is made up for. */
  onReturn: () => void;
  /** An actuator that was on is no longer under command, for example because its service died. @param why for people */
  onLost: (why: string) => void;
}
