import { connect } from 'node:net';
import { systemClock } from '../../lib/clock/clock.ts';
import { exposureFrom } from '../../lib/http/exposure.ts';
import { HttpService, type HttpServiceOptions } from '../../lib/http/http-service.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import type { Route } from '../../lib/http/route.ts';

export interface TestService {
  service: HttpService;
  url: string;
  metrics: MetricRegistry;
  logged: string[];
}

/** A service with these routes on a free port, for tests. */
export async function startTestService(
  routes: readonly Route[],
  options: Partial<HttpServiceOptions> = {},
): Promise<TestService> {
  const logged: string[] = [];
  const metrics = new MetricRegistry();
  const service = new HttpService({
    service: 'svc-test',
    version: '1.2.3',
    exposure: exposureFrom({}, '127.0.0.1'),
    clock: systemClock,
    metrics,
    randomId: () => 'made-id',
    log: (line) => logged.push(line),
    routes,
    ...options,
  });
  const { url } = await service.listen('127.0.0.1', 0);
  return { service, url, metrics, logged };
}

/** Everything that comes back until the server closes the connection, for requests that no client would send. */
export function exchangeBytes(url: string, sent: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(sent));
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      received += text;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}
