import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock/clock.ts';
import { messageOf } from '../errors/coded-error.ts';
import type { Exposure } from './exposure.ts';
import { checkHostAndOrigin, checkToken } from './guard-request.ts';
import { HttpError } from './http-error.ts';
import type { Metrics } from './metrics.ts';
import { isDefect, problemReply } from './problem.ts';
import { readBody } from './read-body.ts';
import { decodeParams, readQuery } from './read-query.ts';
import { type Reply, send } from './reply.ts';
import type { Route } from './route.ts';
import { validate } from './validate.ts';

/** What every request of one service shares. */
export interface DispatchEnvironment {
  service: string;
  exposure: Exposure;
  clock: Clock;
  metrics: Metrics;
  randomId: () => string;
  /** One line for people; defects come with their stack. */
  log: (line: string) => void;
  statusOverrides: Readonly<Record<string, number>>;
  /** Turns an error of the floors below into one with the members its problem body shall carry. */
  translate: (thrown: unknown) => unknown;
}

/** The routes that share one path, by method. */
export type PathRoutes = ReadonlyMap<string, Route>;

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/;

/** Answers one request; never throws and never leaves it hanging. */
export async function dispatch(
  environment: DispatchEnvironment,
  routes: PathRoutes | undefined,
  rawParams: Record<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { clock, metrics, service } = environment;
  const startedAt = clock.monotonic();
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : environment.randomId();
  response.setHeader('x-request-id', requestId);
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const route = routes?.get(method);
  let reply: Reply;
  try {
    checkHostAndOrigin(request, environment.exposure);
    allowOrigin(request, response, environment.exposure);
    if (method === 'OPTIONS' && request.headers.origin !== undefined && routes) {
      reply = preflight(routes);
    } else {
      checkToken(request, environment.exposure, route?.access ?? 'token');
      reply = await answer(
        environment,
        route ?? refuse(routes, request),
        rawParams,
        request,
        response,
        requestId,
      );
    }
  } catch (raw) {
    const thrown = environment.translate(raw);
    if (isDefect(thrown)) {
      const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : messageOf(thrown);
      environment.log(`${service}: ${method} ${request.url} [${requestId}] ${stack}`);
    }
    reply = problemReply(thrown, environment.statusOverrides);
  }
  try {
    send(response, reply);
  } catch (thrown) {
    environment.log(
      `${service}: ${method} ${request.url} [${requestId}] answer not sent: ${messageOf(thrown)}`,
    );
    response.destroy();
  }
  const label = route?.paths[0] ?? 'none';
  metrics.count('svc_http_requests_total', { service, route: label, method, status: String(reply.status) });
  const seconds = (clock.monotonic() - startedAt) / 1000;
  metrics.observe('svc_http_request_duration_seconds', seconds, { service, route: label, method });
}

async function answer(
  environment: DispatchEnvironment,
  route: Route,
  rawParams: Record<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<Reply> {
  const body = route.ignoreBody ? {} : await readBody(request, environment.exposure.maxBodyBytes);
  if (route.ignoreBody) request.resume();
  const raw = { params: decodeParams(rawParams), query: readQuery(request.url ?? ''), body };
  const inputs = validate(route, raw);
  const stop = new AbortController();
  const expired = new HttpError('device_timeout', `no result within ${route.deadlineMs} ms`);
  const cancelDeadline = environment.clock.after(route.deadlineMs, () => stop.abort(expired));
  const onClose = () => stop.abort(new HttpError('invalid_request', 'the client went away'));
  response.once('close', onClose);
  try {
    const late = new Promise<never>((_, reject) => {
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
    });
    const run = route.run({
      ...inputs,
      signal: stop.signal,
      requestId,
      header: (name) => {
        const value = request.headers[name.toLowerCase()];
        return typeof value === 'string' ? value : value?.join(', ');
      },
      request,
    });
    return await Promise.race([run, late]);
  } finally {
    cancelDeadline();
    response.off('close', onClose);
  }
}

function refuse(routes: PathRoutes | undefined, request: IncomingMessage): never {
  const path = (request.url ?? '').split('?')[0];
  if (!routes) throw new HttpError('not_found', `no such path: ${path}`);
  const allow = methodsOf(routes);
  throw new HttpError('method_not_allowed', `${request.method} is not allowed on ${path}; use ${allow}`, {
    headers: { allow },
  });
}

function methodsOf(routes: PathRoutes): string {
  return [...routes.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

function allowOrigin(request: IncomingMessage, response: ServerResponse, exposure: Exposure): void {
  const origin = request.headers.origin;
  if (origin === undefined || !exposure.allowedOrigins.includes(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'Origin');
}

function preflight(routes: PathRoutes): Reply {
  return {
    status: 204,
    text: '',
    headers: {
      'access-control-allow-methods': methodsOf(routes),
      'access-control-allow-headers': 'Authorization, Content-Type, X-Lease-Id, X-Request-Id',
    },
  };
}
