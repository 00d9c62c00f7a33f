import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { abstractAddress } from '../../lib/liveness/abstract-address.ts';
import { suite } from '../../test-kit/suite.ts';
import { ServiceWatch } from './service-watch.ts';

const test = suite('watch of a service that owns an actuator');
let count = 0;

interface Watched {
  watch: ServiceWatch;
  /** What is reported to the guard, in order. */
  told: string[];
  /** Another process with the life line of the service. */
  begin(): Promise<ChildProcess>;
  health: { status: number; asked: number; isHanging: boolean };
}

/** A process that shows a life line, and says at SIGTERM how it left its device. */
const script = (address: string) => `const { createServer } = require('node:net');
const say = (s, line) => s.write(JSON.stringify(line) + '\\n');
createServer((s) => {
  s.on('error', () => {}); s.resume();
  setInterval(() => say(s, { beat: 1 }), 50);
  process.on('SIGTERM', () => { say(s, { left_safe: true }); setTimeout(() => process.exit(0), 50); });
  process.on('SIGINT', () => { say(s, { left_safe: false }); setTimeout(() => process.exit(1), 50); });
  process.on('SIGUSR2', () => s.destroy());
  process.on('SIGHUP', () => say(s, { closing: true }));
  say(s, { hello: { service: 'svc-test', pid: process.pid } });
}).listen(${JSON.stringify(address)}, () => console.log('up'))`;

async function watched(work: (rig: Watched) => Promise<void>): Promise<void> {
  const health = { status: 200, asked: 0, isHanging: false };
  const server = createServer((_request, response) => {
    health.asked += 1;
    if (health.isHanging) return;
    response.statusCode = health.status;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = abstractAddress(`svc-live/service-${process.pid}-${count++}`);
  const told: string[] = [];
  const watch = new ServiceWatch({
    ...{ service: 'svc-test', address, clock: systemClock },
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onLost: (why) => told.push(why),
    onBack: () => told.push('back'),
  });
  const children: ChildProcess[] = [];
  const begin = async () => {
    const child = spawn(process.execPath, ['-e', script(address)], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await once(child.stdout, 'data');
    await until(() => watch.sign === 'heard');
    return child;
  };
  watch.start();
  try {
    await work({ watch, told, begin, health });
  } finally {
    watch.stop();
    for (const child of children) child.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
  }
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await systemClock.sleep(5);
}

test('SVC-041 a process that is killed is lost at once, without a failure of /health, and each one once', () =>
  watched(async ({ told, begin, watch }) => {
    let process = await begin();
    for (let round = 0; round < 3; round++) {
      process.kill('SIGKILL');
      await until(() => watch.lost !== undefined);
      process = await begin();
      assert.equal(told.splice(0), ['its process has ended', 'back']);
      assert.is(watch.lost, undefined);
    }
  }));

test('SVC-041 one that stands still is lost after 2 s, and back when it goes on', () =>
  watched(async ({ told, begin, watch, health }) => {
    const child = await begin();
    health.status = 503;
    const asked = health.asked;
    child.kill('SIGSTOP');
    await until(() => watch.lost !== undefined);
    assert.equal(told, ['no heartbeat for 2 s']);
    assert.ok(health.asked - asked < 3, 'before /health had failed three times');
    assert.is(watch.sign, 'silent');
    health.status = 200;
    child.kill('SIGCONT');
    await until(() => watch.lost === undefined);
    assert.equal(told.at(-1), 'back');
  }));

test('SVC-041 one that has left its device safe is not lost when it ends; one that has not is', () =>
  watched(async ({ told, begin }) => {
    const first = await begin();
    first.kill('SIGTERM');
    await once(first, 'exit');
    await systemClock.sleep(300);
    assert.equal(told, []);
    const second = await begin();
    second.kill('SIGINT');
    await once(second, 'exit');
    await until(() => told.length > 0);
    assert.equal(told, ['its process has ended']);
  }));

test('SVC-041 one that is ending answers no health and goes on trying; one that does not come to its end is lost', () =>
  watched(async ({ told, begin, health, watch }) => {
    const child = await begin();
    child.kill('SIGHUP');
    await systemClock.sleep(100);
    health.status = 503;
    const { asked } = health;
    await until(() => health.asked >= asked + 4);
    assert.equal(told, []);
    await until(() => watch.lost !== undefined);
    assert.equal(told, ['it does not come to its end']);
  }));

test('SVC-041 a life line that breaks while its process goes on says nothing, and is found again', () =>
  watched(async ({ told, begin, watch }) => {
    const child = await begin();
    child.kill('SIGUSR2');
    await until(() => watch.sign === 'unknown');
    await until(() => watch.sign === 'heard');
    await systemClock.sleep(300);
    assert.equal(told, []);
  }));

test('SVC-058 a slow /health is no loss while heartbeats come, and is one without them', () =>
  watched(async ({ told, begin, health, watch }) => {
    const child = await begin();
    health.isHanging = true;
    await until(() => health.asked >= 5);
    assert.equal(told, []);
    health.isHanging = false;
    child.kill('SIGTERM');
    await once(child, 'exit');
    health.isHanging = true;
    await until(() => watch.lost !== undefined);
    assert.match(told.join(), /^3 times in a row GET .* gave no whole answer/);
  }));

test('SVC-041 three failures of /health in a row are a loss, also where there is no life line', () =>
  watched(async ({ told, health, watch }) => {
    health.status = 503;
    await until(() => watch.lost !== undefined);
    assert.is(health.asked, 3);
    assert.match(told[0] ?? '', /^3 times in a row GET http.*status 503/);
    health.status = 200;
    await until(() => watch.lost === undefined);
    assert.equal(told.slice(1), ['back']);
  }));

test.run();
