import * as z from 'zod';
import { DEVICE_PROBLEMS } from '../../lib/http/problem-schema.ts';
import { type Route, route } from '../../lib/http/route.ts';
import type { BridgeHold } from '../../rig/hold/bridge-hold.ts';
import { withPendingStop } from '../../rig/service/answer-members.ts';
import type { DeviceSurroundings } from '../../rig/service/device-service.ts';
import { healthQuery } from '../../rig/service/known-health.ts';
import { commandSchema, LungAnswers, marksSchema, statusSchema } from './answers.ts';
import { healthSchema } from './health.ts';
import type { HeldLung } from './held-lung.ts';
import { energizeSchema, holdSchema, homeSchema, startSchema } from './orders.ts';
import type { OwnedLung } from './owned-lung.ts';
import { settingsSchema } from './settings.ts';
import { withUnknownStatus } from './unknown-status.ts';

const LUNG_PROBLEMS = [
  ...DEVICE_PROBLEMS,
  'lung_moving',
  'lung_start_failed',
  'lung_limits_blocked',
  'lung_low_vin',
  'superseded',
  'safe_state_in_progress',
] as const;
const COMMAND_PROBLEMS = [...LUNG_PROBLEMS, 'held_by_bridge'] as const;
const CALLER = ['x-bridge-id'] as const;

export function lungRoutes(
  lung: OwnedLung,
  held: HeldLung,
  bridge: BridgeHold,
  { health, config }: Pick<DeviceSurroundings, 'health' | 'config'>,
): Route[] {
  const answers = new LungAnswers(lung, held, health.started_at);
  const startBody = startSchema(config.limits);
  return [
    route({
      method: 'GET',
      path: '/health',
      summary: 'Whether the lung motor answers, and whether it is under control; always 200, within 100 ms',
      access: 'open',
      query: healthQuery,
      answer: healthSchema,
      handler: async ({ query }) => {
        const found = { ...(await lung.health(query.wait_ms, query.max_age_ms)), ...health };
        return withPendingStop(found, held.hold.pendingText);
      },
    }),
    route({
      method: 'GET',
      path: '/api/settings',
      summary: 'Settings of the Tic as they were read when it was opened, and what differs from the profile',
      answer: settingsSchema,
      handler: () => lung.settings(),
    }),
    route({
      method: 'GET',
      path: '/api/status',
      problems: LUNG_PROBLEMS,
      summary: 'What the motor reports now',
      headers: CALLER,
      answer: statusSchema,
      handler: async ({ header }) => {
        bridge.note(header('x-bridge-id'));
        const unknown = (thrown: unknown) => Promise.reject(withUnknownStatus(thrown));
        return answers.status(await held.read().catch(unknown));
      },
    }),
    route({
      method: 'POST',
      path: '/api/lung',
      problems: COMMAND_PROBLEMS,
      headers: CALLER,
      summary: 'Starts strokes out and back; sent once, answered when motion was seen',
      actuating: true,
      body: startBody,
      answer: commandSchema.extend({
        ...startBody.pick({ steps: true, speed: true, cycles: true, pause: true }).shape,
        status: z.literal('started'),
      }),
      handler: async ({ body, header, signal }) => {
        bridge.admit(header('x-bridge-id'));
        const { steps, speed, cycles, pause, direction, limit_mode: limitMode, hold_s: holdS } = body;
        const motion = { steps, speed, cycles, pauseS: pause, direction, limitMode };
        const status = await held.start(motion, holdS, signal);
        return answers.command({ steps, speed, cycles, pause, status: 'started' as const }, status);
      },
    }),
    route({
      method: 'POST',
      path: '/api/stop',
      problems: LUNG_PROBLEMS,
      summary: 'Halts and de-energizes now, ahead of all else; answered when that is proven',
      access: 'loopback',
      ignoresForm: true,
      headers: CALLER,
      answer: commandSchema.extend({ status: z.literal('stopped') }),
      handler: async ({ header }) => {
        bridge.note(header('x-bridge-id'));
        return answers.command({ status: 'stopped' as const }, await held.stop('POST /api/stop'));
      },
    }),
    route({
      method: 'POST',
      path: '/api/energize',
      problems: COMMAND_PROBLEMS,
      headers: CALLER,
      summary: 'Current without motion, under a hold; or de-energizes, answered when that is proven',
      actuating: true,
      body: energizeSchema,
      answer: commandSchema.extend({ energized: z.boolean() }),
      handler: async ({ body, header, signal }) => {
        if (body.enable) bridge.admit(header('x-bridge-id'));
        const status = body.enable
          ? await held.energize(body.hold_s, signal)
          : await held.stop('POST /api/energize');
        return answers.command({ energized: status.energized }, status);
      },
    }),
    route({
      method: 'POST',
      path: '/api/home',
      problems: COMMAND_PROBLEMS,
      headers: CALLER,
      summary: 'Begins homing, which has a time limit; answered when motion was seen',
      actuating: true,
      body: homeSchema,
      answer: commandSchema.extend({
        status: z.literal('homing'),
        direction: z.enum(['forward', 'reverse']),
      }),
      handler: async ({ body: { direction, hold_s: holdS }, header, signal }) => {
        bridge.admit(header('x-bridge-id'));
        const status = await held.home(direction, holdS, signal);
        return answers.command({ status: 'homing' as const, direction }, status);
      },
    }),
    route({
      method: 'POST',
      path: '/api/hold',
      problems: COMMAND_PROBLEMS,
      headers: CALLER,
      summary: 'Renews the hold of what is under way; without one nothing is changed',
      actuating: true,
      body: holdSchema,
      answer: statusSchema.extend(marksSchema.shape),
      handler: async ({ body, header }) => {
        bridge.admit(header('x-bridge-id'));
        return answers.status(await held.renew(body.hold_s));
      },
    }),
  ];
}
