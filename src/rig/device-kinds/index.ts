import { adcStack } from './adc-stack.ts';
import type { DeviceKind, SensorOpening } from './device-kind.ts';
import { elFlow, openElFlow } from './el-flow.ts';
import { lung } from './lung.ts';
import { pump } from './pump.ts';
import { valveBoard } from './valve-board.ts';
import { voltageConverter } from './voltage-converter.ts';

/** The kinds of devices that the rig knows, in the order of its tables. */
const KINDS = [voltageConverter, pump, lung, valveBoard, adcStack, elFlow] as const;

/**
 * How the sensors of a kind are opened, by the word of the kind. One that is missing does not compile. Programs that only
 * read the configuration leave this out, and the drivers with it.
 */
export const SENSOR_OPENINGS: Readonly<Record<SensorWord, SensorOpening>> = { 'el-flow': openElFlow };

type Kind = (typeof KINDS)[number];
/** Plugin names that have a kind of their own. */
export type FixedName = Kind['names'][number];
type Actuator = Extract<Kind, { safeState: object }>;
type KeysOf<T> = T extends unknown ? keyof T : never;
/** Steps of the safe state. */
export type StepName = KeysOf<Actuator['safeState']>;
export type ActuatorRole = Actuator['role'];
export type ActuatorName = Actuator['names'][number];
/** Plugins of actuators that a service of their own may own. */
export type OwnedActuator = Extract<Actuator, { owner: { service: string } }>['names'][number];
/** Words of the kinds of sensors in a unit of their own. */
type SensorWord = Extract<Kind, { role: 'sensor' }>['kind'];
export type HealthKey = NonNullable<Kind['healthKey']>;

export const DEVICE_KINDS: readonly DeviceKind[] = KINDS;
export const FIXED_NAMES = KINDS.flatMap(({ names }): readonly FixedName[] => names);
export const HEALTH_KEYS = KINDS.flatMap(({ healthKey }): readonly HealthKey[] =>
  healthKey ? [healthKey] : [],
);
export const ACTUATOR_KINDS = KINDS.filter((kind): kind is Actuator => 'safeState' in kind);

/** @param word of `svc.yaml` */
export const kindNamed = (word: string): DeviceKind | undefined =>
  DEVICE_KINDS.find(({ kind }) => kind === word);

/** The kind of a plugin: the one that its name implies, else the one that it says. */
export const kindOf = (name: string, word: string | undefined): DeviceKind | undefined =>
  DEVICE_KINDS.find(({ names }) => names.some((one) => one === name)) ??
  (word === undefined ? undefined : kindNamed(word));
