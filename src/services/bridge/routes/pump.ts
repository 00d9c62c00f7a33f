import * as z from 'zod';
import { dutyOf } from '../../../devices/dri0050/protocol.ts';
import { invalidField } from '../../../lib/http/http-error.ts';
import { numberText } from '../../../lib/http/query-types.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { type Config, DEFAULT_LIMITS } from '../../../rig/configuration/types.ts';
import { PUMP_ID } from '../../../rig/device-kinds/pump.ts';
import type { PumpReading } from '../../../rig/hardware/ports.ts';
import { ACTUATION_PROBLEMS, actuationMembers } from '../answers.ts';
import type { Bridge } from '../bridge.ts';
import { beyondLimit } from '../refusal.ts';
import { actuatorMarks } from './origin.ts';
import { notTripping, trippedMember } from './tripped.ts';

const pumpAnswer = z.object({
  power_pct: z.number(),
  duty: z.int(),
  enabled: z.boolean(),
  freq_hz: z.int().nullable(),
  verified: z.boolean(),
});

/** Power and flow outside 0..100 % are refused, never clamped. */
export function pumpRoutes(bridge: Bridge): Route[] {
  const { rig, config } = bridge;
  return [
    route({
      method: 'POST',
      path: '/api/v1/hardware/pump',
      summary: 'Sets the pump by power_pct or by flow_lpm; 0 stops it',
      actuating: true,
      query: z.object({ power_pct: numberText().optional(), flow_lpm: numberText().optional() }),
      headers: ['x-lease-id'],
      answer: z.object({
        ...actuationMembers,
        power_pct: z.number(),
        flow_lpm: z.number(),
        data: pumpAnswer,
      }),
      problems: [...ACTUATION_PROBLEMS, 'pump_unverified', 'value_out_of_range'],
      handler: async ({ query, header, signal }) => {
        const wanted = powerPercent(query, config);
        // What eight bits cannot show is a stop.
        const percent = dutyOf(wanted) === 0 ? 0 : wanted;
        const requester = { leaseId: header('x-lease-id'), signal };
        const { result, tripped } =
          percent === 0
            ? await bridge.makeActuatorSafe(PUMP_ID, 'stopping the pump', () => rig.pump.setPower(0))
            : notTripping(
                await bridge.actuate(PUMP_ID, requester, (stop) => rig.pump.setPower(percent, stop)),
              );
        bridge.targets.pumpPercent = percent;
        return {
          ok: true,
          power_pct: percent,
          flow_lpm: (percent * config.pumpFullScaleLpm) / 100,
          ...actuatorMarks(rig.pump.origin),
          data: pumpData(result),
          ...trippedMember(tripped),
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
  { pumpFullScaleLpm: fullScaleLpm, limits: { pumpMaxPct } }: Config,
): number {
  const { power_pct: power, flow_lpm: flow } = query;
  if ((power === undefined) === (flow === undefined)) {
    const message =
      power === undefined ? 'or flow_lpm is required' : 'and flow_lpm exclude each other; send one';
    const value = power === undefined ? null : String(power);
    throw invalidField('invalid_parameter', { in: 'query', field: 'power_pct', message, value });
  }
  const percent = power ?? ((flow ?? Number.NaN) / fullScaleLpm) * 100;
  if (percent >= 0 && percent <= pumpMaxPct) return percent === 0 ? 0 : percent;
  const limited = pumpMaxPct < DEFAULT_LIMITS.pumpMaxPct;
  const why = limited ? `limits.pump.max_power_pct in svc.yaml is ${pumpMaxPct}` : "the pump's full scale";
  const message =
    power === undefined
      ? `must be 0..${(fullScaleLpm * pumpMaxPct) / 100} l/min, ${why}`
      : `must be 0..${pumpMaxPct} %${limited ? `, ${why}` : ''}`;
  const field = power === undefined ? 'flow_lpm' : 'power_pct';
  throw beyondLimit([{ in: 'query', field, message, value: String(power ?? flow) }]);
}
