// node <this file> CHANNELS: a bridge that answers every reading at once, so that what is measured is the way from the reading to
// the page. A reading is the moment at which it was made.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { MemoryBridge } from '../../../src/test-kit/scenario/memory-bridge.ts';
import { machineMs } from '../../rig/safety/stop/machine-time.ts';
import { namesOf, UNIT, WRAP_MS } from './scenario.ts';

const NO_FAULTS = { actuation: 0, reading: 0, leaseLoss: 0 };
const HOST = '127.0.0.1';

const bridge = new MemoryBridge(systemClock, () => 0.5, NO_FAULTS);
const components = Object.fromEntries(namesOf(Number(process.argv[2])).map((id) => [id, { status: 'ok' }]));

function answerJson(response: ServerResponse, body: object, status = 200): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

const readingOf = (sensor: string): object => ({
  ok: true,
  sensor_id: sensor,
  value: machineMs() % WRAP_MS,
  unit: UNIT,
  age_ms: 0,
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/';
  const [, sensor] = /\/sensor\/([^/?]+)/.exec(path) ?? [];
  if (sensor !== undefined) {
    answerJson(response, readingOf(sensor));
    return;
  }
  const [, sensors] = /\/sensors\/each\?sensor_ids=(.+)/.exec(path) ?? [];
  if (sensors !== undefined) {
    const lines = sensors
      .split(',')
      .map((name) => `${JSON.stringify({ sensor: name, status: 200, body: readingOf(name) })}\n`)
      .join('');
    response.writeHead(200, {
      'content-type': 'application/x-ndjson',
      'content-length': Buffer.byteLength(lines),
    });
    response.end(lines);
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const told = await bridge.fetch(`http://${HOST}${path}`, {
    method: request.method ?? 'GET',
    headers: request.headers as Record<string, string>,
    ...(parts.length > 0 ? { body: Buffer.concat(parts).toString() } : {}),
  });
  const said = (await told.json()) as object;
  const more =
    path === '/api/v1/hardware/health'
      ? { components }
      : path === '/health'
        ? { offers: ['sensors/each'] }
        : {};
  answerJson(response, { ...said, ...more }, told.status);
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, HOST, () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ ready: true, url: `http://${HOST}:${port}` })}\n`);
});
