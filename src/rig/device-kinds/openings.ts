import type { Plugin } from '../configuration/types.ts';
import type { OpenDevicesOptions } from '../hardware/real/open-devices.ts';
import type { SensorDevice } from '../hardware/rig-device.ts';
import type { SensorWord } from './index.ts';

/** A device as the configuration has it. Nothing is opened yet. */
export type Opening<Device> = (options: OpenDevicesOptions) => Device;

/** @param plugin its entry of `svc.yaml` */
export type SensorOpening = (options: OpenDevicesOptions, plugin: Plugin) => SensorDevice;

/** How the sensors of a kind are opened, by the word of the kind. One that is missing does not compile. */
export const SENSOR_OPENINGS: Readonly<Record<SensorWord, SensorOpening>> = {};
