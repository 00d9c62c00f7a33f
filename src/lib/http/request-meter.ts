import type { Labels, Metrics } from './metrics.ts';
import type { Route } from './route.ts';

const REQUESTS = 'svc_http_requests_total';
const DURATION = 'svc_http_request_duration_seconds';

interface Meter {
  labels: Labels;
  /** By status. */
  counters: Map<number, () => void>;
  observe: (seconds: number) => void;
}

/** Counts and times the requests of one service. What counts a route is looked up once. */
export class RequestMeter {
  readonly #metrics: Metrics;
  readonly #service: string;
  readonly #meters = new Map<Route | string, Meter>();

  constructor(metrics: Metrics, service: string) {
    this.#metrics = metrics;
    this.#service = service;
  }

  /** @param route undefined when no route was found */
  note(route: Route | undefined, method: string, status: number, seconds: number): void {
    const meter = this.#meters.get(route ?? method) ?? this.#meterOf(route, method);
    const count = meter.counters.get(status) ?? this.#counterOf(meter, status);
    count();
    meter.observe(seconds);
  }

  #meterOf(route: Route | undefined, method: string): Meter {
    const labels = { service: this.#service, route: route?.paths[0] ?? 'none', method };
    const made = { labels, counters: new Map(), observe: this.#metrics.timer(DURATION, labels) };
    this.#meters.set(route ?? method, made);
    return made;
  }

  #counterOf({ labels, counters }: Meter, status: number): () => void {
    const made = this.#metrics.counter(REQUESTS, { ...labels, status: String(status) });
    counters.set(status, made);
    return made;
  }
}
