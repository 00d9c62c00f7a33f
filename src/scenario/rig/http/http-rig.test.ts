import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import { Registry } from '../../../rig/registry/registry.ts';
import { suite } from '../../../test-kit/suite.ts';
import { HttpRig } from './http-rig.ts';

const test = suite('the rig behind a bridge');

test('LANG-035 a reading is there although every connection that was kept has broken', async () => {
  const old = new Set<Socket>();
  let areBroken = false;
  let waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    if (areBroken && old.has(request.socket)) {
      request.socket.destroy();
      return;
    }
    const body = { ok: true, sensor_id: 'ai01', value: 1.5, unit: 'V', age_ms: 0 };
    const answer = () => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (areBroken) {
      answer();
      return;
    }
    // All at once, so that each has a connection of its own.
    old.add(request.socket);
    waiting.push(answer);
    if (waiting.length === 4) {
      for (const one of waiting) one();
      waiting = [];
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ignore = () => {};
  const rig = new HttpRig({
    firmwareUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    registry: new Registry(),
    clock: systemClock,
    owner: 'test',
    simulated: false,
    requireReal: false,
    withoutGuard: false,
    mirror: false,
    observer: { event: ignore, marked: ignore, warning: ignore, finding: ignore, leaseLost: ignore },
  });
  const { signal } = new AbortController();
  const ask = { name: 'AI01', id: 'ai01', ownUnit: 'V', background: false };
  try {
    await Promise.all(Array.from({ length: 4 }, () => rig.read(ask, signal)));
    assert.is(old.size, 4);
    areBroken = true;
    assert.is((await rig.read(ask, signal)).value, 1.5);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.run();
