import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Inputs } from './inputs.ts';
import type { Route, RouteContext } from './route.ts';
import type { StopSource } from './stop-source.ts';

/** The routes that share one path, by method. */
export type PathRoutes = ReadonlyMap<string, Route>;

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
  readonly stop: StopSource;
  /** Monotonic clock, milliseconds. */
  readonly startedAt: number;
}

/** What a handler sees of its request. A class, since its members are made when they are asked for. */
export class RequestContext implements RouteContext<unknown, unknown, unknown> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly #stop: StopSource;

  constructor({ request, requestId, stop }: Exchange, { params, query, body }: Inputs) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.requestId = requestId;
    this.request = request;
    this.#stop = stop;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Handlers take it out of the context. */
  get header(): (name: string) => string | undefined {
    const { headers } = this.request;
    return (name) => {
      const value = headers[name.toLowerCase()];
      return typeof value === 'string' ? value : value?.join(', ');
    };
  }
}
