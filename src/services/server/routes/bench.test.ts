import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import { startTestService } from '../../../test-kit/http/service.ts';
import { suite } from '../../../test-kit/suite.ts';
import { Firmware } from '../firmware.ts';
import { serverSettings } from '../settings.ts';
import { problemMembers } from '../translate.ts';
import { benchRoutes } from './bench.ts';

const test = suite('the bench on the page');
/** No process listens at the lowest port. */
const NOBODY = 'http://127.0.0.1:1';

/** @param isBench what the bridge says of its devices; undefined: it does not answer */
async function patched(isBench: boolean | undefined, url: string | undefined) {
  const firmware = new Firmware('http://bridge.test', undefined, systemClock, async () => {
    if (isBench === undefined) throw new Error('refused');
    return Response.json({ bench: isBench });
  });
  const calls: string[] = [];
  const fetched = (to: string, init?: RequestInit) => {
    calls.push(to);
    return fetch(to, init);
  };
  const { service, url: own } = await startTestService(benchRoutes({ url, firmware, fetch: fetched }), {
    problemMembers,
  });
  try {
    const response = await fetch(`${own}/api/bench/pump/knobs`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"silent":true}',
    });
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    return { status: response.status, code, detail, calls };
  } finally {
    service.destroy();
  }
}

test('PAGE-001 a rig without a bench has none of its routes', async () => {
  const { status, calls } = await patched(false, undefined);
  assert.equal([status, calls], [404, []]);
});

test('PAGE-001 nothing is set while the bridge drives real devices', async () => {
  const { status, code, calls } = await patched(false, NOBODY);
  assert.equal([status, code, calls], [503, 'not_done', []]);
});

test('PAGE-001 a bench that does not answer is reported with what to do, also while the bridge is away', async () => {
  for (const isBench of [true, undefined]) {
    const { status, code, detail, calls } = await patched(isBench, NOBODY);
    assert.equal([status, code, calls.length], [503, 'device_unavailable', 1]);
    assert.match(detail, 'start svc-bench or npm start');
  }
});

test('a bench on another machine is refused at the start', () => {
  for (const url of ['http://rig:8290', 'http://10.0.0.7:8290', 'ftp://127.0.0.1', 'x'])
    assert.throws(() => serverSettings({ SVC_BENCH_URL: url }, '/'), /SVC_BENCH_URL.*write for example/);
  assert.is(
    serverSettings({ SVC_BENCH_URL: 'http://localhost:8290/' }, '/').benchUrl,
    'http://localhost:8290',
  );
  assert.is(serverSettings({}, '/').benchUrl, undefined);
});

test.run();
