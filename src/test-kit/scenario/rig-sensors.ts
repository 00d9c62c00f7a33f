import { Registry } from '../../rig/registry/registry.ts';
import { CONFIRMED } from '../rig/calibration.ts';

/** AI01: a line, 100 mbar/V, 0 mbar at 0.635 V. AI02: a bent table to °C. AI03: a bent table to mbar. AI04: volts only. */
export const calibratedRig = new Registry({
  sensors: [
    {
      id: 'nc-sensor',
      unit: 'V',
      calibration: { kind: 'linear', id: 'cal-nc', unit: 'mbar', scale: 100, offset: -63.5, ...CONFIRMED },
    },
    {
      id: 'sc-sensor',
      unit: 'V',
      calibration: {
        kind: 'table',
        id: 'cal-t',
        unit: '°C',
        points: [
          [0, 0],
          [1, 10],
          [2, 1000],
        ],
        ...CONFIRMED,
      },
    },
    {
      id: 'wc-sensor',
      unit: 'V',
      calibration: {
        kind: 'table',
        id: 'cal-wc',
        unit: 'mbar',
        points: [
          [0, 0],
          [1, 100],
          [2, 1000],
        ],
        ...CONFIRMED,
      },
    },
  ],
});
