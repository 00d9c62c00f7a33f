import { CodedError } from '../errors/coded-error.ts';
import { isLoopback } from './loopback.ts';

/** Who may call a service. */
export interface Exposure {
  /** Bearer token; undefined when none is needed. */
  token: string | undefined;
  /** Bound beyond loopback without a token, by SVC_ALLOW_INSECURE=1. */
  insecure: boolean;
  allowedOrigins: readonly string[];
  allowedHosts: readonly string[];
  /** A page at this port of the host that is asked may ask too; none by default. */
  pagePort?: () => number;
  /** The cookie of a page (`session.ts`) counts as the token. */
  acceptsSession?: boolean;
  maxBodyBytes: number;
}

/** A start option or variable that stops the start; exit code 2, one line. */
export class StartRefusedError extends CodedError {
  constructor(message: string) {
    super('start_refused', message);
  }
}

const MIN_TOKEN_LENGTH = 16;

/** Reads the exposure from the environment. @throws StartRefusedError */
export function exposureFrom(
  env: Readonly<Record<string, string | undefined>>,
  host: string,
  defaultMaxBodyBytes = 65_536,
): Exposure {
  const token = env.SVC_API_TOKEN || undefined;
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH) {
    throw new StartRefusedError(
      `SVC_API_TOKEN has ${token.length} characters; use ${MIN_TOKEN_LENGTH} or more`,
    );
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new StartRefusedError(
      'SVC_API_TOKEN has blanks or characters beyond ASCII, which no client can send; choose another one',
    );
  }
  const insecure = !isLoopback(host) && token === undefined;
  if (insecure && env.SVC_ALLOW_INSECURE !== '1') {
    throw new StartRefusedError(
      `host ${host} is reachable from outside and SVC_API_TOKEN is not set; ` +
        'bind 127.0.0.1, set SVC_API_TOKEN, or accept the risk with SVC_ALLOW_INSECURE=1',
    );
  }
  return {
    token,
    insecure,
    allowedOrigins: list(env.SVC_ALLOWED_ORIGINS),
    allowedHosts: list(env.SVC_ALLOWED_HOSTS).map((name) => name.toLowerCase()),
    maxBodyBytes: maxBody(env.SVC_MAX_BODY_BYTES, defaultMaxBodyBytes),
  };
}

function list(value: string | undefined): string[] {
  const entries = (value ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  if (entries.includes('*')) {
    throw new StartRefusedError(
      `"*" in ${JSON.stringify(value)} is refused; name each origin or host exactly`,
    );
  }
  return entries;
}

function maxBody(value: string | undefined, byDefault: number): number {
  if (value === undefined || value === '') return byDefault;
  const bytes = Number(value);
  if (!Number.isInteger(bytes) || bytes < 1024 || bytes > 1_073_741_824) {
    throw new StartRefusedError(`SVC_MAX_BODY_BYTES=${value} is not an integer from 1024 to 1073741824`);
  }
  return bytes;
}
