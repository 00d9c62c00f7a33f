import * as z from 'zod';
import { PROBLEM_TYPE, problemReply } from '../../lib/http/problem.ts';
import type { OwnProblems } from '../../lib/http/problem-schema.ts';
import type { Reply } from '../../lib/http/reply.ts';
import { WindowError, type WindowErrorCode } from '../../window/window-error.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_COMPONENT = 3;

/** Status, title and exit code of what an operation ends with. */
const FAILURES = {
  missing_field: [400, 'Missing field', EXIT_USAGE],
  image_not_found: [400, 'Image not found', EXIT_FAILED],
  image_unreadable: [400, 'Image unreadable', EXIT_FAILED],
  blank_image: [400, 'Blank image', EXIT_FAILED],
  program_not_found: [400, 'Program not found', EXIT_FAILED],
  program_invalid: [400, 'Program invalid', EXIT_FAILED],
  program_unwritable: [400, 'Program not writable', EXIT_FAILED],
  no_fingerprint: [400, 'No fingerprint', EXIT_FAILED],
  path_refused: [403, 'Path refused', EXIT_FAILED],
  program_changed: [409, 'Program changed', EXIT_FAILED],
  invalid_parameter: [422, 'Invalid parameter', EXIT_USAGE],
  component_missing: [501, 'Component missing', EXIT_COMPONENT],
  busy: [503, 'Busy', EXIT_FAILED],
  analysis_timeout: [504, 'Analysis timed out', EXIT_FAILED],
} as const satisfies Readonly<
  Record<WindowErrorCode, readonly [status: number, title: string, exitCode: number]>
>;

/** Status and title of each code, for the description. */
export const WINDOW_PROBLEMS: OwnProblems = Object.fromEntries(
  Object.entries(FAILURES).map(([code, [status, title]]) => [code, [status, title]]),
);

/** What svc-window says in a problem beside the seven members. */
export const problemMembers = {
  field: z.string(),
  path: z.string(),
  /** Place in a program that is not valid. */
  json_path: z.string(),
  component: z.string(),
  /** Command that installs what is missing. */
  install: z.string(),
  retry_after_s: z.number(),
};

export interface Failure {
  reply: Reply;
  /** Of the command. */
  exitCode: number;
}

/** How a failed operation is reported, by HTTP and by the command alike; undefined for what is not one of an operation. */
export function failureOf(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof WindowError)) return undefined;
  const { code, message, members } = thrown;
  const [status, title, exitCode] = FAILURES[code];
  const body = {
    ...members,
    type: `urn:svc:problem:${code}`,
    title,
    status,
    detail: message,
    code,
    error: message,
    ok: false,
    ...(status === 422 ? { errors: [] } : {}),
  };
  const retry =
    typeof members.retry_after_s === 'number' ? { 'retry-after': String(members.retry_after_s) } : {};
  return { reply: { status, body, headers: { 'content-type': PROBLEM_TYPE, ...retry } }, exitCode };
}

/** The same for whatever is thrown: what has no code is a defect. */
export function anyFailure(thrown: unknown): Failure {
  const known = failureOf(thrown);
  if (known) return known;
  const reply = problemReply(thrown);
  return { reply, exitCode: reply.status === 422 ? EXIT_USAGE : EXIT_FAILED };
}
