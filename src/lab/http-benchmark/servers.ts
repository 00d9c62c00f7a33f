import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import * as z from 'zod';
import { systemClock } from '../../lib/clock/clock.ts';
import { exposureFrom } from '../../lib/http/exposure.ts';
import { HttpService } from '../../lib/http/http-service.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import { numberText } from '../../lib/http/query-types.ts';
import { route } from '../../lib/http/route.ts';
import { programLog } from '../../lib/log/program-log.ts';

/** An answer as an ADC service gives it. */
function reading(channel: number): object {
  const at = new Date(systemClock.now()).toISOString();
  const values = { channel, input_name: `G${channel}`, raw_10bit: 197, volts: 0.634863, millivolts: 634.86 };
  const origin = { adapter: 'usb-adc-usbhid', physical_input: `MCP2221A.G${channel}`, transport: 'hid' };
  return { ok: true, unit: 'V', ...values, reading: { ...values, ...origin, samples: 1, observed_at: at } };
}

export const PATH = '/api/v1/adc/1';

/**
 * What node itself does with the same body.
 *
 * @param body sent as it is; without it a reading is made for each request. @returns its URL
 */
export async function startBare(body?: string): Promise<string> {
  const server = createServer((_, response) => {
    const payload = body ?? JSON.stringify(reading(1));
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(payload),
    });
    response.end(payload);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The kit as the services use it, with metrics, log and as many routes as the bridge has. @returns its URL */
export async function startKit(): Promise<string> {
  const others = Array.from({ length: 20 }, (_, i) =>
    route({
      method: 'GET',
      path: `/api/v1/other${i}/:id`,
      summary: 'another',
      handler: () => ({ ok: true }),
    }),
  );
  const service = new HttpService({
    service: 'benchmark',
    version: '0',
    exposure: exposureFrom({}, '127.0.0.1'),
    clock: systemClock,
    metrics: new MetricRegistry(),
    logger: programLog('benchmark', process.env, systemClock),
    log: () => {},
    randomId: randomUUID,
    routes: [
      ...others,
      route({
        method: 'GET',
        path: '/api/v1/adc/:n',
        summary: 'one channel',
        params: z.object({ n: numberText({ min: 1, max: 3, integer: true }) }),
        query: z.object({ samples: numberText({ min: 1, max: 10_000, integer: true }).default(1) }),
        handler: async ({ params }) => reading(params.n),
      }),
    ],
  });
  return (await service.listen('127.0.0.1', 0)).url;
}
