import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import { startTestService } from '../../../test-kit/http/service.ts';
import { suite } from '../../../test-kit/suite.ts';
import { Firmware } from '../firmware.ts';
import { manualRoutes } from './manual.ts';

const test = suite('manual control by the page');

interface Asked {
  line: string;
  lease: string | null;
  body: string | null;
}

/** What the bridge was asked, and what the server answers, when the bridge answers so. */
async function asked(path: string, body: object | undefined, status: number, said: object) {
  const calls: Asked[] = [];
  const bridge = async (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    calls.push({
      line: `${init.method} ${new URL(url).pathname}${new URL(url).search}`,
      lease: headers.get('x-lease-id'),
      body: typeof init.body === 'string' ? init.body : null,
    });
    return new Response(JSON.stringify(said), { status, headers: { 'content-type': 'application/json' } });
  };
  const firmware = new Firmware('http://bridge.test', undefined, systemClock, bridge);
  const { service, url } = await startTestService(manualRoutes(firmware));
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, answer: (await response.json()) as { code?: string }, calls };
  } finally {
    service.destroy();
  }
}

test('SVC-036 the lease names the person and is short', async () => {
  const { status, calls } = await asked('/api/manual', { by: 'Ada' }, 201, { lease_id: 'l-1', ttl_ms: 3000 });
  assert.is(status, 201);
  assert.is(calls[0]?.line, 'POST /api/v1/lease');
  assert.equal(JSON.parse(calls[0]?.body ?? ''), { owner: 'manual control by Ada', ttl_ms: 3000 });
});

test('SVC-036 a valve and the pump are commanded once and under the lease', async () => {
  const valve = await asked('/api/manual/l-1/valve/valve%201?open=true', undefined, 200, { ok: true });
  assert.equal(
    valve.calls.map(({ line, lease }) => [line, lease]),
    [['POST /api/v1/hardware/valve/valve%201?value=true', 'l-1']],
  );
  const pump = await asked('/api/manual/l-1/pump?power_pct=12.5', undefined, 200, { ok: true });
  assert.equal(
    pump.calls.map(({ line, lease }) => [line, lease]),
    [['POST /api/v1/hardware/pump?power_pct=12.5', 'l-1']],
  );
});

test('SVC-029 a power outside 0..100 % is refused and never sent', async () => {
  const { status, calls } = await asked('/api/manual/l-1/pump?power_pct=101', undefined, 200, { ok: true });
  assert.equal([status, calls.length], [422, 0]);
});

test('SVC-036 what the bridge refuses keeps its code; a code that is unknown is a device error', async () => {
  const held = await asked('/api/manual', { by: 'Ada' }, 409, { code: 'lease_held', detail: 'Bob has it' });
  assert.equal([held.status, held.answer.code], [409, 'lease_held']);
  const odd = await asked('/api/manual', { by: 'Ada' }, 500, { code: 'surprise', detail: 'x' });
  assert.is(odd.answer.code, 'device_error');
});

test.run();
