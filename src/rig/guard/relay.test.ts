import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { abstractAddress } from '../../lib/liveness/abstract-address.ts';
import { LifeLine } from '../../lib/liveness/life-line.ts';
import { suite } from '../../lib/testing/suite.ts';
import { BridgeWatch } from './bridge-watch.ts';
import type { GuardReport } from './guard-report.ts';
import { Relay } from './relay.ts';

const test = suite("the operator's stop through the guard");
let count = 0;

const REPORT = {
  ok: true,
  outcome: 'safe',
  reason: 'operator',
  duration_ms: 9,
  mock: false,
  steps: [],
} as const;
const BY_GUARD: GuardReport = {
  ...REPORT,
  ...{ steps: [], by: 'svc-guard', at: '', bench: false, killed: [], reaction_ms: 1 },
};

interface Bridge {
  line: LifeLine;
  /** By whom the rig was made safe, in order; `guard` with the pid that is ended first. */
  acted: string[];
  lost: string[];
  stop(): Promise<GuardReport>;
}

async function withBridge(answer: RequestListener, work: (bridge: Bridge) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    if (request.url === '/health') response.end('{}');
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = abstractAddress(`svc-live/relay-${process.pid}-${count++}`);
  const hello = () => ({ pid: process.pid, url, closing: false, safe_state: null });
  const line = new LifeLine({ address, clock: systemClock, hello, log: () => {} });
  line.open();
  const acted: string[] = [];
  const lost: string[] = [];
  const watch = new BridgeWatch({
    address,
    clock: systemClock,
    onLost: (loss) => lost.push(loss),
    onSeen: () => {},
  });
  watch.start();
  const relay = new Relay({
    watch,
    clock: systemClock,
    makeSafe: async (reason, kill) => {
      acted.push(`guard ${reason} ${kill?.pid === process.pid ? 'after ending it' : 'alone'}`);
      return BY_GUARD;
    },
  });
  try {
    while (!watch.bridge) await systemClock.sleep(5);
    await work({ line, acted, lost, stop: () => relay.stop() });
  } finally {
    watch.stop();
    line.close();
    server.closeAllConnections();
    server.close();
  }
}

test('a bridge that does it is not disturbed, however long it takes once it has begun', () => {
  const slow: RequestListener = (_request, response) => {
    void systemClock.sleep(900).then(() => response.end(JSON.stringify(REPORT)));
  };
  return withBridge(slow, async ({ line, acted, stop }) => {
    const stopping = stop();
    line.tell({ safe_state: { running: true, reason: 'operator', outcome: null } });
    const report = await stopping;
    assert.equal([report.by, report.outcome, acted], ['svc-bridge', 'safe', []]);
  });
});

test('a report that is not complete is the answer of the bridge, not a reason to end it', () =>
  withBridge(
    (_request, response) => {
      response.statusCode = 503;
      response.end(JSON.stringify({ ...REPORT, ok: false, outcome: 'partial' }));
    },
    async ({ acted, stop }) => {
      assert.equal([(await stop()).outcome, acted], ['partial', []]);
    },
  ));

test('SVC-041 a heart that does not beat while a stop is asked for is not waited for', () =>
  withBridge(
    () => {},
    async ({ line, acted, lost, stop }) => {
      line.fallSilent(60_000);
      assert.is((await stop()).by, 'svc-guard');
      assert.equal([acted, lost], [['guard operator after ending it'], []], 'before the watch lost it');
    },
  ));

test('SVC-041 a bridge whose heart beats and that does not begin is ended', () =>
  withBridge(
    () => {},
    async ({ acted, lost, stop }) => {
      const [first, second] = await Promise.all([stop(), stop()]);
      assert.is(first, second, 'calls join');
      assert.equal([acted, lost], [['guard operator after ending it'], []]);
    },
  ));

test('SVC-041 a bridge that cannot be asked any more is ended', () =>
  withBridge(
    (_request, response) => response.destroy(),
    async ({ acted, stop }) => {
      await stop();
      assert.equal(acted, ['guard operator after ending it']);
    },
  ));

test.run();
