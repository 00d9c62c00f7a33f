import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BENCH_DEVICES, type Bench, type BenchDevice } from '../../bench/bench.ts';
import { BenchError } from '../../bench/bench-error.ts';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { RequestFault, readJson } from './read-json.ts';

const ROUTES =
  'GET /bench/v1/devices, GET /bench/v1/outputs, GET /bench/v1/trace, GET /bench/v1/{device}/trace, ' +
  'PATCH /bench/v1/{device}/knobs, POST /bench/v1/reset';

/** The control port of the bench, on 127.0.0.1 only. */
export class BenchControl {
  readonly #bench: Bench;
  readonly #server: Server;

  constructor(bench: Bench) {
    this.#bench = bench;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** @param port 0 for any free one. @returns the port. @throws BenchError `bench_port_in_use` */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) => {
        const message = `cannot listen on 127.0.0.1:${port}: ${messageOf(cause)}; stop the other bench or give --port`;
        reject(new BenchError('bench_port_in_use', message, { cause }));
      });
      this.#server.listen(port, '127.0.0.1', () => resolve());
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await this.#route(request);
      send(response, 200, body);
    } catch (thrown) {
      const [status, code] = statusOf(thrown);
      send(response, status, { ok: false, code, detail: messageOf(thrown) });
    }
  }

  async #route(request: IncomingMessage): Promise<unknown> {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [, root, version, ...rest] = pathname.split('/');
    if (root !== 'bench' || version !== 'v1') throw noRoute(request);
    switch (`${request.method} ${rest.length === 2 ? `{device}/${rest[1]}` : rest.join('/')}`) {
      case 'GET devices':
        return { ok: true, devices: this.#bench.devices() };
      case 'GET outputs':
        return { ok: true, ...this.#bench.outputs };
      case 'GET trace':
        return { ok: true, trace: this.#bench.trace() };
      case 'GET {device}/trace':
        return { ok: true, trace: this.#bench.trace(deviceOf(rest[0])) };
      case 'PATCH {device}/knobs': {
        const device = deviceOf(rest[0]);
        return { ok: true, device, knobs: await this.#bench.setKnobs(device, await readJson(request)) };
      }
      case 'POST reset':
        await this.#bench.reset();
        return { ok: true };
      default:
        throw noRoute(request);
    }
  }
}

function deviceOf(name = ''): BenchDevice {
  const device = BENCH_DEVICES.find((known) => known === name);
  if (device) return device;
  throw new BenchError(
    'device_unknown',
    `no device "${name}" on the bench; known: ${BENCH_DEVICES.join(', ')}`,
  );
}

function noRoute(request: IncomingMessage): RequestFault {
  return new RequestFault(
    404,
    'not_found',
    `${request.method} ${request.url} is not served; known: ${ROUTES}`,
  );
}

function statusOf(thrown: unknown): [number, string] {
  if (thrown instanceof RequestFault) return [thrown.status, thrown.code];
  if (!(thrown instanceof CodedError)) return [500, 'internal_error'];
  if (thrown.code === 'device_unknown') return [404, thrown.code];
  return [thrown.code === 'knob_invalid' ? 422 : 409, thrown.code];
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
