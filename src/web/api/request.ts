/** An answer of the rig that is no success, or none at all. */
export class RequestError extends Error {
  /** Code of the problem; `no_answer` and `unreachable` where the rig sent none. */
  readonly code: string;
  readonly status: number | null;
  /** Members of the problem beside the usual ones. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    status: number | null = null,
    members: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.members = members;
  }
}

export interface RequestOptions {
  /** Default GET, or POST with a body. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal;
  /** Milliseconds. */
  timeoutMs?: number;
  headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 10_000;

/**
 * Asks the server of this page. @returns the JSON of the answer; undefined for one without a body
 * @throws RequestError
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const { body, signal, timeoutMs = TIMEOUT_MS, headers = {} } = options;
  const method = options.method ?? (body === undefined ? 'GET' : 'POST');
  const late = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method,
      signal: signal ? AbortSignal.any([signal, late]) : late,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    text = await response.text();
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw late.aborted
      ? new RequestError('no_answer', `${method} ${path}: ${timeoutMs / 1000} s`)
      : new RequestError('unreachable', `${method} ${path}`);
  }
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  const answer: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
  if (response.ok) return answer as T;
  const problem = (answer ?? {}) as Record<string, unknown>;
  throw new RequestError(
    String(problem.code ?? 'unexpected_answer'),
    String(problem.detail ?? `${response.status} ${response.statusText}`),
    response.status,
    problem,
  );
}
