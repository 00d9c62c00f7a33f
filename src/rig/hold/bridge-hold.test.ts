import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import type { HttpError } from '../../lib/http/http-error.ts';
import { liveAddress, rigKey } from '../../lib/liveness/live-address.ts';
import { suite } from '../../test-kit/suite.ts';
import { mergeConfig } from '../configuration/load-config.ts';
import { parseConfig } from '../configuration/read-file.ts';
import { BridgeHold } from './bridge-hold.ts';
import { bridgeIdOf, readBridgeId, rigOf } from './bridge-id.ts';

const test = suite('a service that a bridge holds');

const RIG = 'bench-7/0123456789abcdef';
const OTHER = 'bench-8/0123456789abcdef';
const at = { service: 'svc-bridge', pid: 4200, port: 8202, since: '2025-01-15T10:00:00.000Z' };
const ours = bridgeIdOf(RIG, at);

function setUp(yaml = '', env: Record<string, string> = {}) {
  const clock = new SteppedClock();
  const config = mergeConfig(parseConfig(yaml, 'svc.yaml'), env);
  return { clock, hold: new BridgeHold({ device: 'pump-motor', clock, config, env }) };
}

function refusal(hold: BridgeHold, id?: string): HttpError | undefined {
  try {
    hold.admit(id);
    return undefined;
  } catch (thrown) {
    return thrown as HttpError;
  }
}

test('SVC-052 a service that no bridge uses takes commands of any client', () => {
  const { hold } = setUp();
  assert.is(refusal(hold), undefined);
  assert.is(hold.holder, undefined);
});

test('SVC-052 any call of a bridge holds it: commands of others are refused with holder and remedy', () => {
  for (const call of ['note', 'admit'] as const) {
    const { hold } = setUp();
    hold[call](ours);
    const refused = refusal(hold);
    const remedy = 'send the command to that bridge, or stop it and wait 10 s';
    assert.is(refused?.code, 'held_by_bridge');
    assert.is(
      refused?.message,
      `pump-motor: held by svc-bridge (pid 4200, port 8202) of rig ${RIG}; ${remedy}`,
    );
    assert.equal(refused?.members, { device: 'pump-motor', holder: at, remedy });
    assert.is(refusal(hold, ours), undefined);
  }
});

test('SVC-052 it is held until 10 s after the last call, and by the same bridge after its restart', async () => {
  const { hold, clock } = setUp();
  hold.note(ours);
  await clock.advance(9999);
  const restarted = bridgeIdOf(RIG, { ...at, pid: 4300 });
  assert.is(refusal(hold, restarted), undefined);
  await clock.advance(9999);
  assert.match(String(refusal(hold)?.message), 'pid 4300');
  await clock.advance(1);
  assert.is(refusal(hold), undefined);
});

test('SVC-052 the bridge of another rig neither commands nor takes over what is held', async () => {
  const { hold, clock } = setUp();
  const theirs = bridgeIdOf(OTHER, at);
  hold.note(ours);
  hold.note(theirs);
  assert.is(refusal(hold, theirs)?.code, 'held_by_bridge');
  assert.is(hold.holder?.rig, RIG);
  await clock.advance(10_000);
  assert.is(refusal(hold, theirs), undefined);
  assert.is(refusal(hold, ours)?.code, 'held_by_bridge');
});

test('SVC-052 a text that is not an id commands nothing, holds nothing, and does not stand in the way of a stop', () => {
  const { hold } = setUp();
  const texts = [
    '',
    'bench-7',
    '[]',
    ours.replace('svc-bridge', 'curl'),
    ours.replace('4200', '"\\u001b[2J"'),
  ];
  for (const text of texts) {
    assert.is(readBridgeId(text), undefined, text);
    assert.is(refusal(hold, text)?.code, 'invalid_parameter', text);
    hold.note(text);
    assert.is(hold.holder, undefined, text);
  }
});

test('SVC-052 a service that starts beside the bridge of its rig is held before any call', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bridge-hold-'));
  const http = 'connection_type: http, connection_params: {base_url: "http://127.0.0.1:1"}';
  const yaml = `plugins: {pump-motor: {${http}}}`;
  const env = { SVC_STATE_DIR: folder };
  const bridge = createServer();
  try {
    assert.is(setUp(yaml, env).hold.holder, undefined, 'no bridge runs');
    await once(bridge.listen(liveAddress('svc-bridge', rigKey(folder))), 'listening');
    const { hold, clock } = setUp(yaml, env);
    assert.equal([hold.holder?.pid, hold.holder?.rig], [process.pid, rigOf(folder)]);
    assert.is(refusal(hold)?.code, 'held_by_bridge');
    assert.is(refusal(hold, bridgeIdOf(rigOf(folder), at)), undefined, 'it is the bridge of this rig');
    for (const unused of [`enabled: false, ${http}`, 'connection_type: modbus-rtu, connection_params: {}']) {
      const { hold: free } = setUp(`plugins: {pump-motor: {${unused}}}`, env);
      assert.is(free.holder, undefined, unused);
    }
    await clock.advance(10_000);
    assert.is(refusal(hold), undefined, 'a bridge that does not call does not hold it');
  } finally {
    bridge.close();
    rmSync(folder, { recursive: true });
  }
});

test('SVC-052 two rigs of one machine are two holders, and a person finds the machine by the name', () => {
  assert.is.not(rigOf('/var/lib/svc'), rigOf('/var/lib/other'));
  assert.is(rigOf('/var/lib/svc').split('/')[0], hostname().replace(/[^\w.-]/g, '_'));
  assert.is(readBridgeId(bridgeIdOf(rigOf('/var/lib/svc'), at))?.port, 8202);
});

test.run();
