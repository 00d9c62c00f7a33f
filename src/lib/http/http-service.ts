import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import polka from 'polka';
import type { Clock } from '../clock/clock.ts';
import { CodedError } from '../errors/coded-error.ts';
import { type DispatchEnvironment, dispatch } from './dispatch.ts';
import type { Exposure } from './exposure.ts';
import type { Metrics } from './metrics.ts';
import { openApi } from './openapi.ts';
import { text } from './reply.ts';
import { type Route, route } from './route.ts';

export interface HttpServiceOptions {
  service: string;
  version: string;
  routes: readonly Route[];
  exposure: Exposure;
  clock: Clock;
  metrics: Metrics;
  randomId: () => string;
  log: (line: string) => void;
  /** Statuses this service answers differently from the table. */
  statusOverrides?: Readonly<Record<string, number>>;
  /** Turns an error of the floors below into one with the members its problem body shall carry. */
  translate?: (thrown: unknown) => unknown;
}

/** The address could not be bound. Exit code 75 for `port_in_use`. */
export class ListenError extends CodedError {}

/** One HTTP service: its routes plus `/metrics` and `/openapi.json`. */
export class HttpService {
  readonly #server: Server;

  constructor(options: HttpServiceOptions) {
    const environment: DispatchEnvironment = {
      ...options,
      statusOverrides: options.statusOverrides ?? {},
      translate: options.translate ?? ((thrown) => thrown),
    };
    const routes = [...options.routes, ...kitRoutes(options)];
    const app = polka({
      onNoMatch: (request, response) => void dispatch(environment, undefined, {}, request, response),
    });
    for (const [pattern, byMethod] of byPath(routes)) {
      app.all(pattern, (request, response) => {
        void dispatch(environment, byMethod, request.params ?? {}, request, response);
      });
    }
    this.#server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) =>
      app.handler(request, response),
    );
  }

  /** Port 0 takes any free one. @throws ListenError `port_in_use`, `listen_failed` */
  listen(host: string, port: number): Promise<{ url: string; port: number }> {
    return new Promise((resolve, reject) => {
      const onError = (cause: NodeJS.ErrnoException) => {
        const inUse = cause.code === 'EADDRINUSE';
        const why = inUse ? 'is in use by another program' : `cannot be bound: ${cause.message}`;
        reject(new ListenError(inUse ? 'port_in_use' : 'listen_failed', `${host}:${port} ${why}`, { cause }));
      };
      this.#server.once('error', onError);
      this.#server.listen(port, host, () => {
        this.#server.off('error', onError);
        const bound = (this.#server.address() as AddressInfo).port;
        resolve({ url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound });
      });
    });
  }

  /** Takes no new connection from here on; running requests go on. */
  stopAccepting(): void {
    if (this.#server.listening) this.#server.close();
    this.#server.closeIdleConnections();
  }

  /** Ends every connection that is still there. */
  destroy(): void {
    this.stopAccepting();
    this.#server.closeAllConnections();
  }
}

function kitRoutes(options: HttpServiceOptions): Route[] {
  const description = openApi(options.service, options.version, options.routes);
  return [
    route({
      method: 'GET',
      path: '/metrics',
      summary: 'Prometheus metrics, without device traffic',
      handler: () => text(options.metrics.render(), 'text/plain; version=0.0.4; charset=utf-8'),
    }),
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'OpenAPI 3.1 description, from the request validators',
      handler: () => description,
    }),
  ];
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
