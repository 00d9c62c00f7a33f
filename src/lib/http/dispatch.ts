import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock/clock.ts';
import type { Logger } from '../log/logger.ts';
import type { Exposure } from './exposure.ts';
import { checkHostAndOrigin, checkToken } from './guard-request.ts';
import { clientGone, HttpError } from './http-error.ts';
import { logDefect, logRequest } from './log-request.ts';
import type { Metrics } from './metrics.ts';
import { originHeaders, preflightReply } from './preflight.ts';
import { isDefect, problemReply } from './problem.ts';
import { hasBody, readBody } from './read-body.ts';
import { decodeParams, readQuery } from './read-query.ts';
import { type Reply, send } from './reply.ts';
import type { Route } from './route.ts';
import type { RunningRequests } from './running-requests.ts';
import { sendStream } from './send-stream.ts';
import { StopSource } from './stop-source.ts';
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
  /** Takes requests and defects with their fields; without it defects go to `log`. */
  logger?: Logger | undefined;
  statusOverrides: Readonly<Record<string, number>>;
  /** Turns an error of the floors below into one with the members its problem body shall carry. */
  translate: (thrown: unknown) => unknown;
  running: RunningRequests;
}

/** The routes that share one path, by method. */
export type PathRoutes = ReadonlyMap<string, Route>;

/** Everything about one request that the steps of its answer need. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** HEAD is taken for GET. */
  method: string;
  route: Route | undefined;
  routes: PathRoutes | undefined;
  rawParams: Record<string, string>;
  stop: StopSource;
}

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/;
/** For the metrics and the log only, nobody receives it: the client went away first. */
const STATUS_CLIENT_GONE = 499;

/** Answers one request; never throws and never leaves it hanging. */
export async function dispatch(
  environment: DispatchEnvironment,
  routes: PathRoutes | undefined,
  rawParams: Record<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { clock, metrics, service, running } = environment;
  const startedAt = clock.monotonic();
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : environment.randomId();
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const stop = new StopSource();
  const route = routes?.get(method);
  const exchange = { request, response, requestId, method, route, routes, rawParams, stop };
  running.add(response);
  response.on('close', () => {
    running.delete(response);
    if (!response.writableFinished) stop.abort(clientGone());
  });

  let reply = await replyTo(environment, exchange);
  const isGone = response.destroyed;
  reply = sendOrRefuse(environment, exchange, reply);
  const status = isGone ? STATUS_CLIENT_GONE : reply.status;
  const label = route?.paths[0] ?? 'none';
  metrics.count('svc_http_requests_total', { service, route: label, method, status: String(status) });
  let durationMs = clock.monotonic() - startedAt;
  metrics.observe('svc_http_request_duration_seconds', durationMs / 1000, { service, route: label, method });

  if (reply.stream && !isGone) {
    await finishStream(environment, exchange, reply.stream);
    durationMs = clock.monotonic() - startedAt;
  }
  logRequest(environment.logger, exchange, status, reply, durationMs);
}

async function replyTo(environment: DispatchEnvironment, exchange: Exchange): Promise<Reply> {
  const { request, route, routes } = exchange;
  const { exposure } = environment;
  try {
    checkHostAndOrigin(request, exposure);
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined && routes) {
      return preflightReply(methodsOf(routes));
    }
    checkToken(request, exposure, route?.access ?? 'token');
    return await answer(environment, exchange, route ?? refuse(routes, request));
  } catch (thrown) {
    return refusal(environment, exchange, thrown);
  }
}

async function answer(
  environment: DispatchEnvironment,
  { request, rawParams, requestId, stop }: Exchange,
  route: Route,
): Promise<Reply> {
  let body: unknown = {};
  if (route.ignoresForm) request.resume();
  else if (hasBody(request)) body = await readBody(request, environment.exposure.maxBodyBytes);
  const query = route.ignoresForm ? {} : readQuery(request.url ?? '');
  const raw = { params: decodeParams(rawParams), query, body };
  const { params, query: checkedQuery, body: checked } = validate(route, raw);
  const running = route.run({
    params,
    query: checkedQuery,
    body: checked,
    get signal() {
      return stop.signal;
    },
    requestId,
    header: (name) => {
      const value = request.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : value?.join(', ');
    },
    request,
  });
  if (!(running instanceof Promise)) return running;
  const cancelDeadline = environment.clock.after(route.deadlineMs, () =>
    stop.abort(new HttpError('device_timeout', `no result within ${route.deadlineMs} ms`)),
  );
  try {
    return await stop.race(running);
  } finally {
    cancelDeadline();
  }
}

/** Sends the reply, or the defect that it cannot be sent. Returns what was sent. */
function sendOrRefuse(environment: DispatchEnvironment, exchange: Exchange, reply: Reply): Reply {
  const { request, response, requestId } = exchange;
  const extra = originHeaders(request, environment.exposure);
  extra['x-request-id'] = requestId;
  if (environment.running.stopping) extra.connection = 'close';
  try {
    send(response, reply, extra);
    return reply;
  } catch (thrown) {
    const problem = refusal(environment, exchange, thrown);
    send(response, problem, extra);
    return problem;
  }
}

async function finishStream(
  environment: DispatchEnvironment,
  exchange: Exchange,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const { request, response, stop } = exchange;
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  environment.running.addStream(response, () =>
    stop.abort(new HttpError('invalid_request', 'the service stops')),
  );
  try {
    await sendStream(response, pieces, stop.signal);
  } catch (thrown) {
    logDefect(environment, exchange, thrown);
  }
}

/** The problem that answers what was thrown; a defect is written down. An error of `translate` is a defect itself. */
function refusal(environment: DispatchEnvironment, exchange: Exchange, raw: unknown): Reply {
  let thrown = raw;
  try {
    thrown = environment.translate(raw);
  } catch (second) {
    thrown = second;
  }
  if (isDefect(thrown)) logDefect(environment, exchange, thrown);
  return problemReply(thrown, environment.statusOverrides);
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
