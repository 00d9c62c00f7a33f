import * as z from 'zod';
import type { Clock } from '../../../lib/clock/clock.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { CoalescedCalls } from '../../../lib/queue/coalesced-calls.ts';
import { PROFILE_NAMES, type Profile } from '../../../rig/profiles/profile.ts';
import type { Svcctl } from '../maintenance/svcctl.ts';
import { api } from './paths.ts';

/** A sweep takes 15 s for each silent port. */
const DOCTOR_MS = 120_000;
/** Services end, each leaving its device safe, and start. */
const CHANGE_MS = 120_000;
const LOOK_MS = 20_000;

const finding = z.object({
  severity: z.enum(['error', 'warn', 'info']),
  code: z.string(),
  message: z.string(),
  evidence: z.array(z.object({ source: z.string(), value: z.string() })),
  cause: z.string(),
  remedy: z.string(),
  /** Code of the finding that explains this one. */
  caused_by: z.string().nullable(),
  repair: z.string().nullable(),
  repaired: z.boolean(),
});

const word = z.union([z.string(), z.number()]);

const repair = z.object({
  id: z.string(),
  /** It may be made by a program. */
  safe: z.boolean(),
  applied: z.boolean(),
  reason: z.string().nullable(),
  hint: z.string(),
  /** What would be written, by name of the setting. */
  mismatches: z.record(z.string(), z.object({ current: word, detected: word })).optional(),
});
export type Repair = z.output<typeof repair>;

const examination = z.object({
  ok: z.boolean(),
  summary: z.object({ errors: z.int(), warnings: z.int(), infos: z.int() }),
  issues: z.array(finding),
  repairs: z.array(repair),
  not_checked: z.array(z.object({ code: z.string(), reason: z.string() })),
  applied_repairs: z.array(
    z.object({
      path: z.string(),
      backup: z.string(),
      changes: z.record(z.string(), z.object({ from: word, to: word })),
    }),
  ),
});
const examinationSchema = examination.extend({ at: z.iso.datetime() });
export type Examination = z.output<typeof examinationSchema>;

const service = z.object({
  name: z.string(),
  state: z.string(),
  pid: z.int().nullable(),
  uptimeMs: z.number().nullable(),
  memoryBytes: z.number().nullable(),
  restarts: z.int().nullable(),
  port: z.int().nullable(),
  health: z.string(),
  ok: z.boolean(),
});
const services = z.object({ ok: z.boolean(), services: z.array(service), error: z.string().optional() });
const servicesSchema = services.extend({ at: z.iso.datetime() });
export type ServiceList = z.output<typeof servicesSchema>;

const profileReport = z.object({
  ok: z.boolean(),
  profile: z.enum(PROFILE_NAMES as readonly [Profile, ...Profile[]]).nullable(),
  supervisor: z.string(),
  mismatches: z.array(z.string()),
});
export type ProfileState = z.output<typeof profileReport>;

const done = z.object({ ok: z.literal(true) });

const PROBLEMS = ['not_done', 'device_timeout', 'held_by_other', 'lease_held'] as const;

/** What a service engineer does at a terminal, for the page: each is a command of `svcctl`, with its words. */
export function maintenanceRoutes(svcctl: Svcctl, firmwareUrl: string, clock: Clock): Route[] {
  const looks = new CoalescedCalls();
  const now = () => new Date(clock.now()).toISOString();
  const doctor = ['doctor', '--firmware-url', firmwareUrl];
  const change = { isChange: true, limitMs: CHANGE_MS };
  return [
    route({
      method: 'POST',
      path: api('/doctor'),
      summary: 'Examines the rig; changes nothing',
      deadlineMs: DOCTOR_MS + 5000,
      answer: examinationSchema,
      problems: PROBLEMS,
      handler: ({ signal: gone }) => {
        const look = async (signal: AbortSignal) => ({
          ...(await svcctl.ask({ args: doctor, limitMs: DOCTOR_MS, signal }, examination)),
          at: now(),
        });
        return looks.call('doctor', look, gone);
      },
    }),
    route({
      method: 'POST',
      path: api('/doctor/repair'),
      summary: 'Makes the repair that is safe, examines again and takes back what did not help',
      deadlineMs: DOCTOR_MS + 5000,
      answer: examinationSchema,
      problems: PROBLEMS,
      handler: async () => ({
        ...(await svcctl.ask({ args: [...doctor, '--fix'], ...change }, examination)),
        at: now(),
      }),
    }),
    route({
      method: 'POST',
      path: api('/config/apply'),
      summary: 'Starts those services again that run with an older configuration',
      deadlineMs: CHANGE_MS + 5000,
      answer: done,
      problems: PROBLEMS,
      handler: () => svcctl.ask({ args: ['config', 'apply'], ...change }, done),
    }),
    route({
      method: 'GET',
      path: api('/services'),
      summary: 'State, memory, restarts, port and health of every service',
      sameSite: true,
      deadlineMs: LOOK_MS + 5000,
      answer: servicesSchema,
      problems: PROBLEMS,
      handler: ({ signal: gone }) => {
        const look = async (signal: AbortSignal) => ({
          ...(await svcctl.ask({ args: ['services'], limitMs: LOOK_MS, signal }, services)),
          at: now(),
        });
        return looks.call('services', look, gone);
      },
    }),
    route({
      method: 'POST',
      path: api('/services/start'),
      summary: 'Starts what is missing; services without a supervisor end, each leaving its device safe',
      deadlineMs: CHANGE_MS + 5000,
      answer: servicesSchema,
      problems: PROBLEMS,
      handler: async () => ({
        ...(await svcctl.ask({ args: ['services', '--adopt'], ...change }, services)),
        at: now(),
      }),
    }),
    route({
      method: 'GET',
      path: api('/profile'),
      summary: 'The profile of the ADC services, and whether the services match it',
      sameSite: true,
      deadlineMs: LOOK_MS + 5000,
      answer: profileReport,
      problems: PROBLEMS,
      handler: ({ signal: gone }) => {
        const look = (signal: AbortSignal) =>
          svcctl.ask({ args: ['profile'], limitMs: LOOK_MS, signal }, profileReport);
        return looks.call('profile', look, gone);
      },
    }),
    route({
      method: 'POST',
      path: api('/profile'),
      summary: 'Switches the ADC services to a profile; refused while the rig is leased',
      deadlineMs: CHANGE_MS + 5000,
      body: z.strictObject({ profile: z.enum(PROFILE_NAMES as readonly [Profile, ...Profile[]]) }),
      answer: done.extend({ profile: z.string() }),
      problems: PROBLEMS,
      handler: ({ body: { profile } }) =>
        svcctl.ask({ args: ['profile', profile], ...change }, done.extend({ profile: z.string() })),
    }),
  ];
}
