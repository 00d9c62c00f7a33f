import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { mockOnly } from './mock-only.ts';

const test = suite('a server in mock mode');

for (const [health, isRefused] of [
  ['{"ok":true,"mode":"real"}', true],
  ['{"ok":true,"mode":"mock"}', false],
  ['no JSON', false],
] as const)
  test(`SVC-008 a bridge whose health is ${health} is ${isRefused ? 'refused' : 'asked on'}`, async () => {
    const server = createServer((_, response) => response.end(health));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const guarded = mockOnly((target, init) => fetch(target, init), url);
      const asked = guarded(`${url}/health`).then((response) => response.text());
      if (isRefused)
        await asked.then(
          () => assert.unreachable('it was not refused'),
          (error: Error) => assert.match(error.message, 'svc-server is in mock mode'),
        );
      else assert.is(await asked, health, 'and its answer is still to be read');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

test.run();
