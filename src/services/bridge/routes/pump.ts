import * as z from 'zod';
import { HttpError, invalidField } from '../../../lib/http/http-error.ts';
import { numberText } from '../../../lib/http/query-types.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import type { PumpReading } from '../../../rig/hardware/ports.ts';
import type { Bridge } from '../bridge.ts';
import { actuatorMarks } from './origin.ts';

/** Services specification, section 10.1. Power and flow outside 0..100 % are refused, never clamped. */
export function pumpRoutes(bridge: Bridge): Route[] {
  const { rig, config } = bridge;
  return [
    route({
      method: 'POST',
      path: '/api/v1/hardware/pump',
      summary: 'Sets the pump by power_pct or by flow_lpm; 0 stops it',
      actuating: true,
      query: z.object({ power_pct: numberText().optional(), flow_lpm: numberText().optional() }),
      handler: async ({ query, header, signal }) => {
        const percent = powerPercent(query, config.pumpFullScaleLpm);
        const requester = { leaseId: header('x-lease-id'), signal };
        const reading =
          percent === 0
            ? await bridge.makeActuatorSafe('pump', 'stopping the pump', () => rig.pump.setPower(0))
            : await bridge.actuate('pump', requester, (stop) => rig.pump.setPower(percent, stop));
        bridge.targets.pumpPercent = percent;
        return {
          ok: true,
          power_pct: percent,
          flow_lpm: (percent * config.pumpFullScaleLpm) / 100,
          ...actuatorMarks(rig.pump.origin),
          data: pumpData(reading),
        };
      },
    }),
  ];
}

export function pumpData(reading: PumpReading) {
  return {
    power_pct: reading.powerPercent,
    duty: reading.duty,
    enabled: reading.enabled,
    freq_hz: reading.frequencyHz === null ? null : Math.round(reading.frequencyHz),
    verified: reading.verified,
  };
}

/** @throws HttpError `invalid_parameter` */
function powerPercent(
  query: { power_pct?: number | undefined; flow_lpm?: number | undefined },
  fullScaleLpm: number,
): number {
  const { power_pct: power, flow_lpm: flow } = query;
  if ((power === undefined) === (flow === undefined)) {
    const message =
      power === undefined ? 'or flow_lpm is required' : 'and flow_lpm exclude each other; send one';
    const value = power === undefined ? null : String(power);
    throw invalidField('invalid_parameter', { in: 'query', field: 'power_pct', message, value });
  }
  const percent = power ?? ((flow ?? Number.NaN) / fullScaleLpm) * 100;
  if (percent >= 0 && percent <= 100) return percent === 0 ? 0 : percent;
  const field = power === undefined ? 'flow_lpm' : 'power_pct';
  const limit = power === undefined ? `${fullScaleLpm} l/min, the pump's full scale` : '100 %';
  const message = `must be 0..${limit}`;
  throw new HttpError('invalid_parameter', `${field} ${message}`, {
    errors: [{ in: 'query', field, message, value: String(power ?? flow) }],
  });
}
