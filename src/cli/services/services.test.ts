import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { portsOf } from '../start/port-holder.ts';
import { askHealth } from './health.ts';
import type { ServiceRow } from './service-rows.ts';
import { serviceLines, uptimeText } from './services-command.ts';

const test = suite('svcctl services');
const io = { clock: systemClock };

async function serving<T>(answer: RequestListener, work: (port: number) => Promise<T>): Promise<T> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("health is the service's own word, and its silence is not health", async () => {
  const answers: readonly (readonly [body: string, ok: boolean | undefined, words: string])[] = [
    ['{"ok":true,"status":"connected"}', true, 'ok'],
    ['{"ok":false,"status":"degraded"}', false, 'degraded'],
    ['{"ok":false}', false, 'not ok'],
    ['{"ok":"true"}', undefined, 'no answer'],
    ['<html>', undefined, 'no answer'],
  ];
  for (const [body, ok, words] of answers)
    await serving(
      (_request, response) => response.end(body),
      async (port) => assert.equal(await askHealth([port], io), { ok, words, port }),
    );
  assert.equal(await askHealth([], io), { ok: undefined, words: '-', port: undefined });
});

test('of several ports the one that answers counts', () =>
  serving(
    (_request, response) => response.destroy(),
    (first) =>
      serving(
        (_request, response) => response.end('{"ok":true}'),
        async (second) =>
          assert.equal(await askHealth([first, second], io), { ok: true, words: 'ok', port: second }),
      ),
  ));

test('the ports of a process are those it listens on', () =>
  serving(
    () => {},
    async (port) => {
      assert.ok(portsOf(process.pid).includes(port));
      assert.equal(portsOf(0), []);
    },
  ));

test('times are short and exact', () => {
  const cases: readonly (readonly [ms: number, text: string])[] = [
    [0, '0s'],
    [999, '0s'],
    [42_900, '42s'],
    [183_000, '3m 3s'],
    [7_500_000, '2h 5m'],
    [270_000_000, '3d 3h'],
  ];
  for (const [ms, text] of cases) assert.is(uptimeText(ms), text);
});

test('unknown is a dash, never a zero', () => {
  const row: ServiceRow = {
    name: 'svc-adc-usb',
    state: 'stopped: held by another owner',
    pid: null,
    uptimeMs: null,
    memoryBytes: null,
    restarts: 0,
    port: null,
    healthOk: null,
    health: '-',
    config: null,
    ok: false,
  };
  assert.equal(serviceLines([row]), [
    'SERVICE      STATE                           PID  UPTIME  MEMORY  RESTARTS  PORT  CONFIG  HEALTH',
    'svc-adc-usb  stopped: held by another owner  -    -       -       0         -     -       -',
  ]);
});

test.run();
