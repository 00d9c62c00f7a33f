import * as z from 'zod';
import { PROBLEM_CODES, type ProblemCode, problemKind } from './problem-table.ts';
import type { Route } from './route.ts';

export const fieldFaultSchema = z.strictObject({
  in: z.enum(['path', 'query', 'body', 'header']),
  field: z.string(),
  message: z.string(),
  /** What was sent, as text; null when nothing was. */
  value: z.string().nullable(),
});

/** Members of a problem beside the seven, all optional; each service has its own. */
export type ProblemMembers = z.ZodRawShape;

/** The answer to everything that is refused or fails. */
export const problemSchema = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(PROBLEM_CODES),
  error: z.string(),
  ok: z.literal(false),
  errors: z.array(fieldFaultSchema).optional(),
});

/** Codes that one service answers by itself, with status and title. */
export type OwnProblems = Readonly<Record<string, readonly [status: number, title: string]>>;

/** Statuses of the problems of a route, each with its titles. */
export function problemStatuses(
  route: Route,
  overrides: Readonly<Record<string, number>>,
  own: OwnProblems,
): Map<number, string[]> {
  const statuses = new Map<number, string[]>();
  const kinds = [...kitProblems(route), ...route.problems].map((code) => problemKind(code, overrides));
  const others = route.ownProblems.flatMap((code) => {
    const [status, title] = own[code] ?? [];
    return status === undefined || title === undefined ? [] : [{ status, title }];
  });
  for (const { status, title } of [...kinds, ...others]) {
    statuses.set(status, [...new Set([...(statuses.get(status) ?? []), title])]);
  }
  return new Map([...statuses].sort(([one], [other]) => one - other));
}

/** What the kit itself answers on a route: refusals before the handler, its deadline, and a defect. */
function kitProblems({ access, ignoresForm }: Route): ProblemCode[] {
  return [
    'invalid_request',
    'overloaded',
    'host_refused',
    'origin_refused',
    'internal_error',
    'device_timeout',
    ...(access === 'open' ? [] : (['unauthorized'] as const)),
    ...(ignoresForm ? [] : FORM_PROBLEMS),
  ];
}

const FORM_PROBLEMS = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_parameter',
] as const satisfies readonly ProblemCode[];

/** What a device may answer in place of its work. */
export const DEVICE_PROBLEMS = [
  'device_unavailable',
  'device_error',
  'device_busy',
  'device_timeout',
  'aborted',
  'corrupt_response',
  'modbus_exception',
  'setting_refused',
  'wrong_device',
  'held_by_other',
] as const satisfies readonly ProblemCode[];
