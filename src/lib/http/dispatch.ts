import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock/clock.ts';
import type { Logger } from '../log/logger.ts';
import { checkHostAndOrigin, checkSameSite, checkToken, originHeaders, preflightReply } from './admission.ts';
import type { AnswerTap } from './answer-tap.ts';
import type { EventLoopTurns, Priority } from './event-loop-turns.ts';
import type { Exposure } from './exposure.ts';
import { clientGone, HttpError } from './http-error.ts';
import { hasBody, type Inputs, inputsOf, readBody } from './inputs.ts';
import type { Metrics } from './metrics.ts';
import { isDefect, problemReply } from './problem.ts';
import { type Reply, send, sendStream } from './reply.ts';
import { logDefect, logRequest, type RefusalLog } from './request-log.ts';
import type { Route, RouteContext } from './route.ts';
import type { Found, PathRoutes } from './router.ts';
import type { RunningRequests } from './running-requests.ts';

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
  /** Bounds what is logged of requests that were not answered well; there when `logger` is. */
  refusals?: RefusalLog | undefined;
  statusOverrides: Readonly<Record<string, number>>;
  /** Turns an error of the floors below into one with the members its problem body shall carry. */
  translate: (thrown: unknown) => unknown;
  running: RunningRequests;
  turns: EventLoopTurns;
  /** Below a test; undefined otherwise. */
  tap?: AnswerTap | undefined;
}

/** How a request came to its turn. */
export interface Admission {
  priority: Priority;
  /** No place is free for it. */
  isOverload: boolean;
}

/** Everything about one request that the steps of its answer need. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** HEAD is taken for GET. */
  readonly method: string;
  readonly route: Route | undefined;
  readonly routes: PathRoutes | undefined;
  readonly rawParams: Record<string, string>;
  /** The one place from which the request is stopped: deadline, client gone, service stopping. */
  readonly stop: AbortController;
  /** Monotonic clock, milliseconds. */
  readonly startedAt: number;
}

/** What a handler sees of its request. */
class RequestContext implements RouteContext<unknown, unknown, unknown> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly signal: AbortSignal;
  readonly #environment: DispatchEnvironment;
  readonly #exchange: Exchange;

  constructor(environment: DispatchEnvironment, exchange: Exchange, { params, query, body }: Inputs) {
    const { request, requestId, stop } = exchange;
    this.#environment = environment;
    this.#exchange = exchange;
    this.params = params;
    this.query = query;
    this.body = body;
    this.requestId = requestId;
    this.request = request;
    this.signal = stop.signal;
  }

  /** Handlers take it out of the context. */
  get header(): (name: string) => string | undefined {
    const { headers } = this.request;
    return (name) => {
      const value = headers[name.toLowerCase()];
      return typeof value === 'string' ? value : value?.join(', ');
    };
  }

  get refusalOf(): (thrown: unknown, name: string) => Reply {
    return (thrown, name) => {
      // The client has left or the time is up: what fails after that is not logged.
      if (this.signal.aborted) return problemReply(this.signal.reason);
      const part = refusal(this.#environment, this.#exchange, thrown, name);
      const durationMs = this.#environment.clock.monotonic() - this.#exchange.startedAt;
      logRequest(this.#environment, this.#exchange, part.status, part, durationMs, name);
      return part;
    };
  }
}

const REQUESTS = 'svc_http_requests_total';
const DURATION = 'svc_http_request_duration_seconds';
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/;
/** For the metrics and the log only, no client receives it: it disconnected first. */
const STATUS_CLIENT_GONE = 499;

/**
 * Answers one request, in the same turn when its handler does; never throws for what a client sent and never leaves it
 * hanging.
 */
export function dispatch(
  environment: DispatchEnvironment,
  found: Found | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  { priority, isOverload }: Admission,
): void {
  const { clock, running, turns } = environment;
  const given = request.headers['x-request-id'];
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const routes = found?.routes;
  const stop = new AbortController();
  const exchange: Exchange = {
    request,
    response,
    requestId: typeof given === 'string' && REQUEST_ID.test(given) ? given : environment.randomId(),
    method,
    route: routes?.get(method),
    routes,
    rawParams: found?.params ?? {},
    stop,
    startedAt: clock.monotonic(),
  };
  running.add(response);
  response.on('close', () => {
    running.delete(response);
    if (!response.writableFinished) stop.abort(clientGone());
  });
  const reply = isOverload ? overloaded(environment, exchange) : replyTo(environment, exchange);
  if (!(reply instanceof Promise)) {
    finish(environment, exchange, reply);
    return;
  }
  void orStopped(reply, stop.signal)
    .catch((thrown: unknown) => () => refusal(environment, exchange, thrown))
    // One result may answer hundreds of requests at once.
    .then((late) =>
      turns.run(priority, () => finish(environment, exchange, typeof late === 'function' ? late() : late)),
    );
}

function overloaded(environment: DispatchEnvironment, exchange: Exchange): Reply {
  const message = 'all connections of this service are in use; close some, and ask again later';
  const headers = { connection: 'close', 'retry-after': '1' };
  return refusal(environment, exchange, new HttpError('overloaded', message, { headers }));
}

/** Whatever refuses the request before its handler waits for anything is a reply as well. */
function replyTo(environment: DispatchEnvironment, exchange: Exchange): Reply | Promise<Reply> {
  const { request, route, routes } = exchange;
  const { exposure } = environment;
  try {
    checkHostAndOrigin(request, exposure);
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined && routes) {
      return preflightReply(methodsOf(routes));
    }
    if (route?.sameSite) checkSameSite(request);
    checkToken(request, exposure, route?.access ?? 'token');
    return answer(environment, exchange, route ?? refuse(routes, request));
  } catch (thrown) {
    return refusal(environment, exchange, thrown);
  }
}

function answer(environment: DispatchEnvironment, exchange: Exchange, route: Route): Reply | Promise<Reply> {
  const { request, rawParams } = exchange;
  const target = request.url ?? '';
  if (route.ignoresForm) request.resume();
  else if (hasBody(request))
    return readBody(request, environment.exposure.maxBodyBytes).then((body) =>
      run(environment, exchange, route, inputsOf(route, target, rawParams, body)),
    );
  return run(environment, exchange, route, inputsOf(route, target, rawParams, {}));
}

/** The deadline counts from here: what the client takes for its body is bounded by the server. */
function run(
  environment: DispatchEnvironment,
  exchange: Exchange,
  route: Route,
  inputs: Inputs,
): Reply | Promise<Reply> {
  const running = route.run(new RequestContext(environment, exchange, inputs));
  if (!(running instanceof Promise)) return running;
  const { deadlineMs } = route;
  const cancel = environment.clock.after(deadlineMs, () =>
    exchange.stop.abort(new HttpError('device_timeout', `no result within ${deadlineMs} ms`)),
  );
  exchange.stop.signal.addEventListener('abort', cancel, { once: true });
  return running.finally(cancel);
}

/** @throws what `work` throws, or the reason of the stop when that comes first */
function orStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(stop.reason);
    stop.addEventListener('abort', fail, { once: true });
    if (stop.aborted) fail();
    work.then(resolve, reject);
  });
}

/** Sends the reply, counts it and writes it down. */
function finish(environment: DispatchEnvironment, exchange: Exchange, reply: Reply): void {
  const { clock, metrics, service } = environment;
  const { request, response, route, method, startedAt } = exchange;
  const isGone = response.destroyed;
  const sent = sendOrRefuse(environment, exchange, reply);
  if (!isGone && request.method !== 'HEAD') environment.tap?.note(route, sent);
  const status = isGone ? STATUS_CLIENT_GONE : sent.status;
  const durationMs = clock.monotonic() - startedAt;
  const labels = { service, route: route?.paths[0] ?? 'none', method };
  metrics.count(REQUESTS, { ...labels, status: String(status) });
  metrics.observe(DURATION, durationMs / 1000, labels);
  if (sent.stream && !isGone)
    void finishStream(environment, exchange, sent.stream).then(() =>
      logRequest(environment, exchange, status, sent, clock.monotonic() - startedAt),
    );
  else logRequest(environment, exchange, status, sent, durationMs);
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
    // What the handler has begun is for nobody.
    stop.abort(clientGone());
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
function refusal(environment: DispatchEnvironment, exchange: Exchange, raw: unknown, part?: string): Reply {
  let thrown = raw;
  try {
    thrown = environment.translate(raw);
  } catch (second) {
    thrown = second;
  }
  if (isDefect(thrown)) logDefect(environment, exchange, thrown, part);
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
