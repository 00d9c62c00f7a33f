import type * as z from 'zod';
import { CodedError } from '../errors/coded-error.ts';
import type { fieldFaultSchema } from './problem-schema.ts';

/** One rejected input of a request. */
export type FieldFault = z.output<typeof fieldFaultSchema>;

export interface HttpErrorDetails {
  /** Present on 422 only. */
  errors?: FieldFault[];
  /** Further members of the problem body, for example `holder` or `steps`. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A refusal or failure that a service answers on purpose. The status follows from the code. */
export class HttpError extends CodedError {
  readonly errors: FieldFault[] | undefined;
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(code: string, message: string, details: HttpErrorDetails = {}) {
    super(code, message, { cause: details.cause });
    this.errors = details.errors;
    this.members = details.members ?? {};
    this.headers = details.headers ?? {};
  }
}

/** A 422 about one input. */
export function invalidField(code: string, fault: FieldFault): HttpError {
  return new HttpError(code, `${fault.field} ${fault.message}`, { errors: [fault] });
}

/** No caller waits for the answer any more. */
export function clientGone(): HttpError {
  return new HttpError('invalid_request', 'the client went away');
}
