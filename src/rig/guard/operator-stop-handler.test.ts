import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { abstractAddress } from '../../lib/liveness/abstract-address.ts';
import { suite } from '../../test-kit/suite.ts';
import { BridgeWatch } from './bridge-watch.ts';
import type { GuardReport } from './guard-report.ts';
import { OperatorStopHandler } from './operator-stop-handler.ts';

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

/** What a bridge does with a stop. */
const ANSWERS = {
  slow: `begin(); setTimeout(() => answer.end(report), 900)`,
  partial: `answer.statusCode = 503; answer.end(report.replace('"safe"', '"partial"').replace('true', 'false'))`,
  'begins only': `begin()`,
  'computes first': `compute(30); begin(); answer.end(report)`,
  'computes on and on': `compute(Infinity)`,
  nothing: ``,
  'hangs up': `answer.destroy()`,
} as const;

/** A process with life line and port of a bridge. */
const script = (address: string, answer: string) => `
const report = ${JSON.stringify(JSON.stringify(REPORT))};
const sockets = new Set();
const say = (socket, line) => socket.write(JSON.stringify(line) + '\\n');
const begin = () => sockets.forEach((socket) => say(socket, { safe_state: { running: true, reason: 'operator', outcome: null } }));
const compute = (ms) => {
  const before = process.cpuUsage();
  for (let user = 0, system = 0; user + system < ms * 1000; ) ({ user, system } = process.cpuUsage(before));
};
const http = require('node:http').createServer((request, answer) => {
  if (request.url === '/health') answer.end('{}');
  else if (request.url === '/api/v1/hardware/safe-state?reason=operator&by=anna&id=a1') { ${answer} }
}).listen(0, '127.0.0.1', () => {
  const url = 'http://127.0.0.1:' + http.address().port;
  require('node:net').createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const beat = setInterval(() => say(socket, { beat: 1 }), 50);
    socket.on('close', () => { sockets.delete(socket); clearInterval(beat); });
    socket.on('data', (bytes) => {
      for (const { ping } of bytes.toString().trim().split('\\n').map(JSON.parse)) if (ping) say(socket, { pong: ping });
    });
    say(socket, { hello: { pid: process.pid, url, closing: false, safe_state: null } });
  }).listen(${JSON.stringify(address)});
});`;

interface Bridge {
  child: ChildProcess;
  watch: BridgeWatch;
  /** By whom the rig was made safe, in order. */
  acted: string[];
  lost: string[];
  stop(): Promise<GuardReport>;
}

async function withBridge(
  answer: keyof typeof ANSWERS,
  work: (bridge: Bridge) => Promise<void>,
): Promise<void> {
  const address = abstractAddress(`svc-live/relay-${process.pid}-${count++}`);
  const child = spawn(process.execPath, ['-e', script(address, ANSWERS[answer])], { stdio: 'inherit' });
  const acted: string[] = [];
  const lost: string[] = [];
  const watch = new BridgeWatch({
    address,
    clock: systemClock,
    onLost: (loss) => lost.push(loss),
    onSeen: () => {},
  });
  watch.start();
  const relay = new OperatorStopHandler({
    watch,
    clock: systemClock,
    makeSafe: async ({ by }, kill) => {
      acted.push(`guard for ${by} ${kill?.pid === child.pid ? 'after ending it' : 'alone'}`);
      return BY_GUARD;
    },
    isInForce: () => true,
  });
  try {
    while (!watch.bridge) await systemClock.sleep(5);
    await work({ child, watch, acted, lost, stop: () => relay.stop({ by: 'anna', id: 'a1' }) });
  } finally {
    watch.stop();
    child.kill('SIGKILL');
  }
}

test('a bridge that does it is not disturbed, however long it takes once it has begun', () =>
  withBridge('slow', async ({ acted, stop }) => {
    const report = await stop();
    assert.equal([report.by, report.outcome, acted], ['svc-bridge', 'safe', []]);
  }));

test('SVC-069 a bridge that has something to compute before it begins is not taken for one that stands still', () =>
  withBridge('computes first', async ({ acted, stop }) => {
    assert.equal([(await stop()).by, acted], ['svc-bridge', []]);
  }));

test('SVC-041 a bridge that computes on and on is ended', () =>
  withBridge('computes on and on', async ({ acted, lost, stop }) => {
    await stop();
    assert.equal([acted, lost], [['guard for anna after ending it'], []], 'before the watch lost it');
  }));

test('a report that is not complete is the answer of the bridge, not a reason to end it', () =>
  withBridge('partial', async ({ acted, stop }) => {
    assert.equal([(await stop()).outcome, acted], ['partial', []]);
  }));

test('SVC-041 a bridge that stands still while a stop is asked for is not waited for', () =>
  withBridge('nothing', async ({ child, acted, lost, stop }) => {
    child.kill('SIGSTOP');
    assert.is((await stop()).by, 'svc-guard');
    assert.equal([acted, lost], [['guard for anna after ending it'], []], 'before the watch lost it');
  }));

test('SVC-041 a bridge that stands still after it has begun is not waited for either', () =>
  withBridge('begins only', async ({ child, watch, acted, lost, stop }) => {
    const stopping = stop();
    while (watch.bridge?.begun === 0) await systemClock.sleep(1);
    child.kill('SIGSTOP');
    assert.is((await stopping).by, 'svc-guard');
    assert.equal([acted, lost], [['guard for anna after ending it'], []], 'before the watch lost it');
  }));

test('SVC-041 a bridge that lives and does not begin is ended', () =>
  withBridge('nothing', async ({ acted, stop }) => {
    const [first, second] = await Promise.all([stop(), stop()]);
    assert.is(first, second, 'calls join');
    assert.equal(acted, ['guard for anna after ending it']);
  }));

test('SVC-041 a bridge that cannot be asked any more is ended', () =>
  withBridge('hangs up', async ({ acted, stop }) => {
    await stop();
    assert.equal(acted, ['guard for anna after ending it']);
  }));

test.run();
