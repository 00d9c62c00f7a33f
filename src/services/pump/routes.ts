import * as z from 'zod';
import { dutyOf } from '../../devices/dri0050/protocol.ts';
import { DEVICE_PROBLEMS } from '../../lib/http/problem-schema.ts';
import { type Route, route } from '../../lib/http/route.ts';
import { DEFAULT_LIMITS, type Limits } from '../../rig/configuration/types.ts';
import type { PumpReading } from '../../rig/hardware/ports.ts';
import type { BridgeHold } from '../../rig/hold/bridge-hold.ts';
import { markMembers, marks, shownHold } from '../../rig/service/answer-members.ts';
import type { CommandedPump } from './commanded-pump.ts';
import { shownFrequency, shownPower } from './shown.ts';

/** Where `limits.pump.max_hold_s` allows as much. */
const DEFAULT_HOLD_S = 60;
const NO_OBJECT = 'must be an object';

const commandAnswer = z.object({
  ok: z.literal(true),
  power_pct: z.number(),
  duty: z.int(),
  enabled: z.boolean(),
  verified: z.boolean(),
  ...markMembers,
});

const statusAnswer = z.object({
  ok: z.literal(true),
  power_pct: z.number(),
  duty: z.int(),
  freq_hz: z.number().nullable(),
  enabled: z.boolean(),
  hold_remaining_s: z.number().nullable(),
  ...markMembers,
});

const PUMP_PROBLEMS = [
  ...DEVICE_PROBLEMS,
  'pump_unverified',
  'superseded',
  'safe_state_in_progress',
] as const;
const CALLER = ['x-bridge-id'] as const;

/** Power and hold beyond the limits of this rig are refused, never clamped. */
export function pumpRoutes(
  pump: CommandedPump,
  bridge: BridgeHold,
  { pumpMaxPct, pumpMaxHoldS }: Limits,
): Route[] {
  const isLimited = pumpMaxPct < DEFAULT_LIMITS.pumpMaxPct;
  const powerPercent = within(0, pumpMaxPct, isLimited ? 'limits.pump.max_power_pct' : undefined);
  const holdS = within(1, pumpMaxHoldS, 'limits.pump.max_hold_s').default(
    Math.min(DEFAULT_HOLD_S, pumpMaxHoldS),
  );
  return [
    route({
      method: 'POST',
      path: '/api/speed',
      summary: 'Runs the pump for hold_s at most; 0 stops it',
      actuating: true,
      headers: CALLER,
      body: z.strictObject({ power_pct: powerPercent, hold_s: holdS }, NO_OBJECT),
      answer: commandAnswer,
      problems: [...PUMP_PROBLEMS, 'held_by_bridge'],
      handler: async ({ body, header, signal }) => {
        if (dutyOf(body.power_pct) > 0) bridge.admit(header('x-bridge-id'));
        return command(pump, await pump.speed(body.power_pct, body.hold_s, signal));
      },
    }),
    route({
      method: 'POST',
      path: '/api/stop',
      summary: 'Stops the pump now, ahead of all else',
      access: 'loopback',
      ignoresForm: true,
      headers: CALLER,
      answer: commandAnswer,
      problems: PUMP_PROBLEMS,
      handler: async ({ header }) => {
        bridge.note(header('x-bridge-id'));
        return command(pump, await pump.stop('POST /api/stop'));
      },
    }),
    route({
      method: 'POST',
      path: '/api/hold',
      summary: 'Renews the hold of a running pump; starts nothing',
      actuating: true,
      headers: CALLER,
      body: z.strictObject({ hold_s: holdS }, NO_OBJECT),
      answer: statusAnswer,
      problems: [...DEVICE_PROBLEMS, 'held_by_bridge'],
      handler: async ({ body, header, signal }) => {
        bridge.admit(header('x-bridge-id'));
        pump.hold.renew(body.hold_s);
        return status(pump, await pump.read(signal));
      },
    }),
    route({
      method: 'GET',
      path: '/api/status',
      summary: 'What the device shows, and for how long it is held',
      headers: CALLER,
      answer: statusAnswer,
      problems: DEVICE_PROBLEMS,
      handler: async ({ header, signal }) => {
        bridge.note(header('x-bridge-id'));
        return status(pump, await pump.read(signal));
      },
    }),
  ];
}

/** @param key of svc.yaml that sets the upper bound */
function within(low: number, high: number, key?: string) {
  const message = `must be a number from ${low} to ${high}${key ? ` (${key} in svc.yaml)` : ''}`;
  return z.number(message).min(low, message).max(high, message);
}

function command({ device }: CommandedPump, reading: PumpReading) {
  const { duty, enabled, verified } = reading;
  return {
    ok: true,
    power_pct: shownPower(reading),
    duty,
    enabled,
    verified,
    ...marks(device.port.origin),
  };
}

function status({ device, hold }: CommandedPump, reading: PumpReading) {
  const { duty, enabled } = reading;
  return {
    ok: true,
    power_pct: enabled ? shownPower(reading) : 0,
    duty,
    freq_hz: shownFrequency(reading),
    enabled,
    hold_remaining_s: shownHold(hold.remainingS),
    ...marks(device.port.origin),
  };
}
