import { CodedError } from '../errors/coded-error.ts';
import { HttpError } from './http-error.ts';
import { problemKind } from './problem-table.ts';
import type { Reply } from './reply.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/**
 * The answer to anything thrown: all seven members, `errors` on 422. An error
 * without a code of the HTTP contract is a defect and gets a generic text, so that nothing internal leaks.
 */
export function problemReply(thrown: unknown, overrides: Readonly<Record<string, number>> = {}): Reply {
  const known = thrown instanceof CodedError ? problemKind(thrown.code, overrides) : undefined;
  const code = known ? (thrown as CodedError).code : 'internal_error';
  const { status, title } = known ?? { status: 500, title: 'Internal error' };
  const detail = known
    ? (thrown as CodedError).message
    : 'The service met a defect; its log has the details under this request id';
  const http = thrown instanceof HttpError ? thrown : undefined;
  const body: Record<string, unknown> = {
    type: `urn:svc:problem:${code}`,
    title,
    status,
    detail,
    code,
    error: detail,
    ok: false,
  };
  // More members may follow; none may stand for one of these.
  for (const [name, value] of Object.entries(http?.members ?? {})) if (!(name in body)) body[name] = value;
  if (http?.errors) body.errors = http.errors;
  else if (status === 422) body.errors = [];
  return { status, body, headers: { ...http?.headers, 'content-type': PROBLEM_TYPE } };
}

/** True when the error is not part of the contract: worth a line with its stack in the log. */
export function isDefect(thrown: unknown): boolean {
  return !(thrown instanceof CodedError) || problemKind(thrown.code) === undefined;
}
