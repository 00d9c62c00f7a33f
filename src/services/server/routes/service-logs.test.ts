import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startTestService } from '../../../test-kit/http/service.ts';
import { suite } from '../../../test-kit/suite.ts';
import { problemMembers } from '../translate.ts';
import { serviceLogRoutes } from './service-logs.ts';

const test = suite('logs of the services');

interface Answer {
  status: number;
  body: { lines?: string[]; is_cut?: boolean; code?: string; detail?: string };
}

async function withLogs(
  text: string,
  work: (ask: (path: string) => Promise<Answer>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-logs-'));
  writeFileSync(join(folder, 'svc-bridge.err.log'), text);
  writeFileSync(join(folder, 'secret.err.log'), 'not for the page\n');
  const own = join(folder, 'svc-server.out.log');
  const { service, url } = await startTestService(serviceLogRoutes(`${own}:${own}`), { problemMembers });
  try {
    await work(async (path) => {
      const response = await fetch(`${url}/api/services/${path}`);
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    });
  } finally {
    service.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the last lines, oldest first, and whether there are earlier ones', () =>
  withLogs('one\ntwo\nthree\n', async (ask) => {
    const all = await ask('svc-bridge/log');
    assert.equal([all.body.lines, all.body.is_cut], [['one', 'two', 'three'], false]);
    const last = await ask('svc-bridge/log?lines=2');
    assert.equal([last.body.lines, last.body.is_cut], [['two', 'three'], true]);
  }));

test('of a large file the end alone is read, and no line that is not whole', () =>
  withLogs(`${'x'.repeat(99)}\n`.repeat(6000), async (ask) => {
    const { body } = await ask('svc-bridge/log?lines=2000');
    assert.is(body.lines?.length, 2000);
    assert.ok(body.lines?.every((line) => line.length === 99));
    assert.is(body.is_cut, true);
  }));

test('only services have a log here: no name reaches another file', () =>
  withLogs('one\n', async (ask) => {
    for (const name of ['secret', '..%2Fsecret', 'svc-bridge%2F..%2Fsecret'])
      assert.is((await ask(`${name}/log`)).status, 422, name);
    const missing = await ask('svc-lung/log');
    assert.equal([missing.status, missing.body.code], [404, 'not_found']);
    assert.match(missing.body.detail ?? '', 'journalctl');
  }));

test('a server that PM2 has not started says where the log is', async () => {
  const { service, url } = await startTestService(serviceLogRoutes(undefined), { problemMembers });
  const response = await fetch(`${url}/api/services/svc-bridge/log`);
  const { code } = (await response.json()) as { code: string };
  service.destroy();
  assert.equal([response.status, code], [503, 'device_unavailable']);
});

test.run();
