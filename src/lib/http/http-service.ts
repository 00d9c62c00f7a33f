import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { endOrTime } from '../clock/bounded.ts';
import type { Clock } from '../clock/clock.ts';
import { type ConfigStamp, configStampSchema } from '../config/config-stamp.ts';
import { CodedError } from '../errors/coded-error.ts';
import { reasonOf } from '../errors/reason.ts';
import type { Logger } from '../log/logger.ts';
import { CoalescedCalls } from '../queue/coalesced-calls.ts';
import { openDoors } from './accept-doors.ts';
import { AnswerTap } from './answer-tap.ts';
import { type ConnectionLimits, DEFAULT_LIMITS, limitedServer } from './connections.ts';
import { type DispatchEnvironment, dispatch } from './dispatch.ts';
import { EventLoopTurns, type Priority } from './event-loop-turns.ts';
import type { Exposure } from './exposure.ts';
import type { Metrics } from './metrics.ts';
import { atOnce, inTurns, openApi } from './openapi.ts';
import { type Page, pageFiles } from './page-files.ts';
import type { OwnProblems, ProblemMembers } from './problem-schema.ts';
import { refuseMalformed } from './refuse-malformed.ts';
import { type Reply, text } from './reply.ts';
import { RefusalLog } from './request-log.ts';
import { type Route, route } from './route.ts';
import { router } from './router.ts';
import { RunningRequests } from './running-requests.ts';

export interface HttpServiceOptions {
  service: string;
  version: string;
  routes: readonly Route[];
  exposure: Exposure;
  clock: Clock;
  metrics: Metrics;
  randomId: () => string;
  /** One line for people. */
  log: (line: string) => void;
  /** Takes requests and defects with their fields; without it defects go to `log`. */
  logger?: Logger;
  /** Statuses this service answers differently from the table. */
  statusOverrides?: Readonly<Record<string, number>>;
  /** Turns an error of the floors below into one with the members its problem body shall carry. */
  translate?: (thrown: unknown) => unknown;
  /** Members of its problems beside the seven, for openapi.json. */
  problemMembers?: ProblemMembers;
  /** Codes that its routes answer by themselves, for openapi.json. */
  ownProblems?: OwnProblems;
  /** What it runs with; undefined for a service that reads no `svc.yaml`. */
  configuration?: ConfigStamp | undefined;
  limits?: Partial<ConnectionLimits>;
  /** Files for a browser at the paths that no route has. */
  page?: Page | undefined;
}

/**
 * Connections that wait to be accepted; the kernel's own limit is lower on some machines. Where there is no place
 * for one its client tries again after 1, 3 and 7 s, also with a stop.
 */
const BACKLOG = 4096;

/** The address could not be bound. Exit code 75 for `port_in_use`. */
export class ListenError extends CodedError {}

/** One HTTP service: its routes plus `/metrics` and `/openapi.json`. */
export class HttpService {
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  readonly #running = new RunningRequests();
  readonly #refusals: RefusalLog | undefined;
  #closeDoors = () => {};

  constructor(options: HttpServiceOptions) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#refusals = options.logger && new RefusalLog(options.logger, options.clock);
    const own = options.routes.map((one) => withHealthMembers(one, options));
    const kit = kitRoutes(options, own);
    const environment: DispatchEnvironment = {
      ...options,
      statusOverrides: options.statusOverrides ?? {},
      translate: options.translate ?? ((thrown) => thrown),
      running: this.#running,
      turns: new EventLoopTurns(options.clock),
      refusals: this.#refusals,
      tap: AnswerTap.of(() => atOnce(kit.describe())),
    };
    const routes = [...own, ...kit.routes];
    const page = options.page && pageFiles(options.page, options.exposure, options.randomId);
    const find = router(byPath(routes));
    const { turns } = environment;
    this.#server = limitedServer({
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      turns,
      priorityOf: priorities(routes),
      handle: (request, response, how) => {
        const found = how.isOverload ? undefined : find(request, response);
        const answer = () => dispatch(environment, found, request, response, how);
        if (page && !found && !how.isOverload) page(request, response, answer);
        else answer();
      },
    });
    refuseMalformed(this.#server, options.randomId, turns);
  }

  /** Port 0 takes any free one. @throws ListenError `port_in_use`, `listen_failed` */
  async listen(host: string, port: number): Promise<{ url: string; port: number }> {
    const bound = await this.#bind(host, port);
    await this.#openDoors();
    return bound;
  }

  async #openDoors(): Promise<void> {
    try {
      this.#closeDoors = await openDoors(this.#server, BACKLOG);
      if (!this.#server.listening) this.#closeDoors();
    } catch (fault) {
      this.#log(`a new connection waits longer behind many others: ${reasonOf(fault)}`);
    }
  }

  #bind(host: string, port: number): Promise<{ url: string; port: number }> {
    return new Promise((resolve, reject) => {
      const onError = (cause: NodeJS.ErrnoException) => {
        const inUse = cause.code === 'EADDRINUSE';
        const why = inUse ? 'is in use by another program' : `cannot be bound: ${cause.message}`;
        reject(new ListenError(inUse ? 'port_in_use' : 'listen_failed', `${host}:${port} ${why}`, { cause }));
      };
      this.#server.once('error', onError);
      this.#server.listen({ port, host, backlog: BACKLOG }, () => {
        this.#server.off('error', onError);
        const bound = (this.#server.address() as AddressInfo).port;
        resolve({ url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound });
      });
    });
  }

  /** Takes no new connection from here on; streams end, other running requests go on. */
  stopAccepting(): void {
    this.#running.stop();
    this.#closeDoors();
    if (this.#server.listening) this.#server.close();
    this.#server.closeIdleConnections();
  }

  /** Stops in order: running requests have `graceMs` to finish, then every connection is ended. */
  async close(graceMs: number): Promise<void> {
    this.stopAccepting();
    await endOrTime(this.#running.finished(), this.#clock, graceMs);
    this.destroy();
  }

  /** Ends every connection that is still there. */
  destroy(): void {
    this.stopAccepting();
    this.#server.closeAllConnections();
    this.#refusals?.close();
  }
}

function kitRoutes(
  options: HttpServiceOptions,
  own: readonly Route[],
): { routes: Route[]; describe: () => ReturnType<typeof openApi> } {
  // Both are much work; however many ask, it is done once.
  const renders = new CoalescedCalls();
  const render = async () => options.metrics.render();
  let written: Promise<string> | undefined;
  const metrics = route({
    method: 'GET',
    path: '/metrics',
    summary: 'Prometheus metrics, without device traffic',
    answerType: 'text/plain',
    handler: async () =>
      text(await renders.call('metrics', render), 'text/plain; version=0.0.4; charset=utf-8'),
  });
  const description = route({
    method: 'GET',
    path: '/openapi.json',
    summary: 'OpenAPI 3.1 description, from the request validators',
    answer: z.record(z.string(), z.unknown()),
    handler: async () => {
      written ??= inTurns(describe()).then((document) => JSON.stringify(document));
      return text(await written, 'application/json; charset=utf-8');
    },
  });
  const describe = (): ReturnType<typeof openApi> => openApi(options, [...own, metrics, description]);
  return { routes: [metrics, description], describe };
}

/**
 * `/health` of every service reports the configuration that it runs with, and when it is bound widely without a token.
 */
function withHealthMembers(one: Route, { exposure, configuration }: HttpServiceOptions): Route {
  if (!one.paths.includes('/health')) return one;
  const members = {
    ...(configuration ? { configuration } : {}),
    ...(exposure.insecure ? { insecure: true } : {}),
  };
  const added = (reply: Reply): Reply =>
    typeof reply.body === 'object' && reply.body !== null
      ? { ...reply, body: { ...reply.body, ...members } }
      : reply;
  return {
    ...one,
    answer:
      one.answer instanceof z.ZodObject
        ? one.answer.extend({
            configuration: configStampSchema.optional(),
            insecure: z.literal(true).optional(),
          })
        : one.answer,
    run: (context) => {
      const reply = one.run(context);
      return reply instanceof Promise ? reply.then(added) : added(reply);
    },
  };
}

/** A route that needs no token from this machine stops something; any other command is ahead of what only reads. */
function priorities(routes: readonly Route[]): (head: string) => Priority {
  const stops = routes
    .filter(({ access, method }) => access === 'loopback' && method === 'POST')
    .flatMap(({ paths }) => paths.map((path) => `POST ${path}`));
  return (head) => {
    if (/^(?:GET|HEAD|OPTIONS) /.test(head)) return 'read';
    return stops.some((stop) => head.startsWith(stop) && /[ ?]/.test(head.charAt(stop.length)))
      ? 'stop'
      : 'control';
  };
}

function byPath(routes: readonly Route[]): Map<string, Map<string, Route>> {
  const table = new Map<string, Map<string, Route>>();
  for (const one of routes) {
    for (const path of one.paths) {
      const methods = table.get(path) ?? new Map<string, Route>();
      if (methods.has(one.method))
        throw new ListenError('duplicate_route', `${one.method} ${path} is defined twice`);
      methods.set(one.method, one);
      table.set(path, methods);
    }
  }
  return table;
}
