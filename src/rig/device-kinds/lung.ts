import { http, usb } from '../configuration/connection-schemas.ts';
import { realLung } from '../hardware/real/open-lung.ts';
import type { LungDevice } from '../hardware/rig-device.ts';
import { defineDeviceKind, type Opening } from './device-kind.ts';
import { mustBeAddress } from './device-variable.ts';

export const LUNG_ID = 'lung-main';
const PLUGIN = 'lung-motor';

/** The motor of the artificial lung: a Tic T249. */
export const lung = defineDeviceKind({
  role: 'lung',
  kind: 'lung',
  names: [PLUGIN],
  title: 'the lung',
  remedy: 'svcctl services shows svc-lung; check USB and 24 V of the lung motor',
  healthKey: 'lung',
  adapter: { name: 'Tic T249', protocol: 'usb', description: 'lung motor' },
  connections: () => ({ ...http, ...usb }),
  withoutFile: { [PLUGIN]: { type: 'http', params: { base_url: 'http://127.0.0.1:8205' } } },
  variables: [
    { name: 'SVC_LUNG_MOTOR_URL', plugin: PLUGIN, type: 'http', parameter: 'base_url', isNumber: false },
  ],
  owner: {
    service: 'svc-lung',
    /** SVC_LUNG_ADDRESS, default `usb:1ffb:00c9`; SVC_LUNG_SERIAL, a serial number, when there are several. */
    connection: (env) => {
      const address = env.SVC_LUNG_ADDRESS || 'usb:1ffb:00c9';
      mustBeAddress('SVC_LUNG_ADDRESS', address, ['usb', 'bench'], 'usb:1ffb:00c9 or bench:<socket>');
      return { type: 'usb', address, serial: env.SVC_LUNG_SERIAL || null };
    },
  },
  safeState: {
    lung_halt: {
      order: 1,
      capMs: 800,
      byHand: "disconnect the lung motor's supply and check that it has stopped",
    },
    lung_deenergize: { order: 3, capMs: 800, byHand: "disconnect the lung motor's supply" },
  },
  peripherals: () => [{ id: LUNG_ID, name: 'Lung', unit: null }],
  watch: {
    lostAfterMs: Number.POSITIVE_INFINITY,
    look: async (readers, _, signal) => {
      const { moving, energized } = await readers.readLung(signal);
      return moving || energized ? [LUNG_ID] : [];
    },
  },
});

export const openLung: Opening<LungDevice> = realLung;
