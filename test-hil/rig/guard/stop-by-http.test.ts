import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import * as assert from 'uvu/assert';
import { guardAddress, rigKey } from '../../../src/lib/liveness/live-address.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import type { Program } from '../bench/program.ts';
import { onGuardedRig, type Service } from './guarded-rig.ts';

const test = suite('POST /stop of the guard');
const TOKEN = 'a-token-of-the-rig-for-tests';

interface Line {
  event: string;
  by?: string;
  name?: string;
  status?: string;
  outcome?: string;
}

/** Where the guard takes stops, by its log. */
async function urlOf(guard: Program): Promise<string> {
  await guard.until('stops are taken at POST');
  const [, url = ''] = /stops are taken at POST (http:\S+)\/stop/.exec(guard.text()) ?? [];
  return url;
}

async function stop(url: string): Promise<Line[]> {
  const response = await fetch(`${url}/stop?by=Ada`, { method: 'POST' });
  assert.equal([response.status, response.headers.get('content-type')], [200, 'application/x-ndjson']);
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}

const STEPS = ['lung_deenergize', 'lung_halt', 'pump_zero', 'valves_off', 'valves_verify'];

function assertStopped(lines: Line[], by: string): void {
  assert.equal([lines[0]?.event, lines[0]?.by], ['begun', 'Ada']);
  const steps = lines.filter(({ event }) => event === 'step');
  for (const name of STEPS)
    assert.is(steps.filter((step) => step.name === name).at(-1)?.status, 'done', name);
  const report = lines.at(-1);
  assert.equal([report?.event, report?.outcome, report?.by], ['report', 'safe', by]);
}

const frozen = async (bridge: Service): Promise<void> => void bridge.child.kill('SIGSTOP');

test('SVC-069 a stop goes to the bridge that lives, and its steps follow', () =>
  onGuardedRig(async (rig) => {
    const bridge = await rig.bridge();
    const guard = await rig.guardOf(bridge);
    await rig.actuate(bridge);
    assertStopped(await stop(await urlOf(guard)), 'svc-bridge');
    assert.equal(await rig.outputsOn(), []);
    const { operator_stop } = (await (await fetch(`${bridge.url}/health`)).json()) as {
      operator_stop: unknown;
    };
    assert.match(JSON.stringify(operator_stop), 'Ada', 'it stays until a person clears it');
  }));

test('SVC-069 a stop works with a frozen bridge and without a server', () =>
  onGuardedRig(async (rig) => {
    const bridge = await rig.bridge();
    const guard = await rig.guardOf(bridge);
    await rig.actuate(bridge);
    const url = await urlOf(guard);
    await frozen(bridge);
    assertStopped(await stop(url), 'svc-guard');
    assert.equal(await rig.outputsOn(), []);
  }));

test('SVC-069 the page of svc-server may ask, a page of another site may not; bound wider it needs the token', () =>
  onGuardedRig(async (rig) => {
    const guard = await rig.guard({ SVC_API_PORT: '18200', SVC_API_HOST: '0.0.0.0', SVC_API_TOKEN: TOKEN });
    const url = (await urlOf(guard)).replace('0.0.0.0', '127.0.0.1');
    assert.match(guard.text(), 'stops are taken at POST http://0.0.0.0:');
    const asked = (origin: string) =>
      fetch(`${url}/stop`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const page = await asked('http://127.0.0.1:18200');
    assert.equal(
      [page.status, page.headers.get('access-control-allow-origin')],
      [204, 'http://127.0.0.1:18200'],
    );
    for (const origin of ['http://127.0.0.1:18201', 'http://elsewhere.test:18200'])
      assert.is((await asked(origin)).status, 403, origin);
    assert.is((await fetch(`${url}/metrics`)).status, 401);
    assert.is((await fetch(`${url}/health`)).status, 200);
  }));

test('SVC-069 a guard whose port is taken guards, and serves stops once it is free', () =>
  onGuardedRig(async (rig) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const bridge = await rig.bridge();
    const guard = await rig.guard({ SVC_GUARD_PORT: String(port) });
    await guard.until('POST /stop is not served');
    await guard.until(`watching svc-bridge (pid ${bridge.pid})`);
    other.close();
    assertStopped(await stop(await urlOf(guard)), 'svc-bridge');
  }));

test('SVC-069 a guard that has just taken over takes stops, also while the address for svcctl is still held', () =>
  onGuardedRig(async (rig) => {
    const bridge = await rig.bridge();
    await rig.actuate(bridge);
    const held = createSocketServer().listen(guardAddress(rigKey(rig.stateDir)));
    const guard = rig.launch('svc-guard', []);
    await guard.until(`watching svc-bridge (pid ${bridge.pid})`);
    assertStopped(await stop(await urlOf(guard)), 'svc-bridge');
    assert.not.match(guard.text(), '"ready":true');
    held.close();
  }));

test.run();
