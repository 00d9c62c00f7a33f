import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { appendCrc } from '../../devices/modbus-rtu/crc.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { acquireLock, type Lock, LockHeldError } from '../../lib/lock/lock.ts';
import { serialLockKey } from '../../lib/lock/lock-key.ts';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';
import { suite } from '../../test-kit/suite.ts';
import { type ProbeOutcome, type ProbeTransport, probePorts } from './probe-ports.ts';

const test = suite('the lock of a probed port');

/** A port on which nothing answers. */
class SilentPort implements ProbeTransport {
  readonly address = 'silent';
  readonly baud = 19_200;
  readonly characterBits = 10;
  readonly isPaced = true;
  isOpen = false;
  sent = 0;
  async open() {
    this.isOpen = true;
  }
  async close() {
    this.isOpen = false;
  }
  async write() {
    this.sent++;
  }
  async flushInput() {}
  onBytes = () => () => {};
  onClosed = () => () => {};
}

function probeOf(port: SilentPort, path: string, whyLeft?: () => string | undefined) {
  const clock = systemClock;
  const deadlineMs = clock.monotonic() + 45_000;
  const options = { ports: [{ device: path, path }], configured: null, budgetMs: 15_000, deadlineMs, clock };
  return probePorts({ ...options, open: () => port, whyLeft });
}

/** As the guard does it: every 40 ms, for 1 s. */
async function takeWithin1s(key: string): Promise<Lock | undefined> {
  const identity = () => ({
    service: 'svc-guard',
    pid: process.pid,
    port: null,
    since: '2026-01-01T00:00:00Z',
  });
  for (let attempt = 0; attempt < 25; attempt++) {
    try {
      return await acquireLock({ key, identity });
    } catch (fault) {
      if (!(fault instanceof LockHeldError)) throw fault;
      await systemClock.sleep(40);
    }
  }
  return undefined;
}

for (const [phase, isReached] of [
  ['the listening', (port: SilentPort) => port.isOpen],
  ['the requests', (port: SilentPort) => port.sent > 0],
] as const)
  test(`SVC-049 DIAG-041 during ${phase} the guard gets the port, which is left to it for as long as it holds it`, async () => {
    const path = join(temporaryFolder('probe-'), 'ttyUSB0');
    const port = new SilentPort();
    const probe = probeOf(port, path);
    while (!isReached(port)) await systemClock.sleep(5);
    const lock = await takeWithin1s(serialLockKey(path));
    assert.ok(lock, 'the probe keeps the lock');
    try {
      assert.is(port.isOpen, false);
      const { sent } = port;
      const { ports } = await probe;
      assert.equal([ports[0]?.kind, port.sent], ['owned', sent]);
      assert.match(ports[0]?.detail ?? '', /^svc-guard \(pid \d+\) holds the port and makes the rig safe$/);
    } finally {
      await lock.release();
    }
  });

/** A port with a board behind it, which replies from its `first`th request on, whatever the rate. */
function boardPort(first: number): SilentPort {
  const port = new SilentPort();
  const heard = new Set<(bytes: Uint8Array) => void>();
  return Object.assign(port, {
    onBytes: (taken: (bytes: Uint8Array) => void) => {
      heard.add(taken);
      return () => heard.delete(taken);
    },
    write: async (request: Uint8Array) => {
      port.sent++;
      if (port.sent < first) return;
      for (const taken of heard) taken(appendCrc(Uint8Array.of(request[0] ?? 0, 1, 1, 0)));
    },
  });
}

test('DIAG-041 a guard that makes the rig safe is waited for, then the board is found', async () => {
  const path = join(temporaryFolder('probe-'), 'ttyUSB0');
  const lock = await takeWithin1s(serialLockKey(path));
  const port = boardPort(0);
  const probe = probeOf(port, path);
  await systemClock.sleep(500);
  assert.is(port.isOpen || port.sent > 0, false);
  await lock?.release();
  const { hits } = await probe;
  assert.equal(
    hits.map(({ device, kind, baudrate }) => [device, kind, baudrate]),
    [[path, 'answer', 19_200]],
  );
});

test('DIAG-041 a board that replies late is not said to have other settings than the configured ones', async () => {
  const path = join(temporaryFolder('probe-'), 'ttyUSB0');
  const { hits, ports } = await probeOf(boardPort(5), path);
  assert.match(ports[0]?.detail ?? '', /at 19200 8N1, id 1$/);
  assert.equal(
    hits.map(({ baudrate, parity, device_id }) => [baudrate, parity, device_id]),
    [[19_200, 'N', 1]],
  );
});

test('SVC-049 a stop that is given during a probe ends it', async () => {
  const path = join(temporaryFolder('probe-'), 'ttyUSB0');
  const port = new SilentPort();
  const { ports } = await probeOf(port, path, () => (port.sent > 0 ? 'stopped' : undefined));
  assert.equal([ports[0]?.kind, ports[0]?.detail, port.sent], ['owned', 'stopped', 1]);
});

test('DIAG-041 silent ports are listened to and asked at the same time, and what is known is reported before the sweep', async () => {
  const folder = temporaryFolder('probe-');
  const order: string[] = [];
  const portOf = (name: string) => {
    const port = new SilentPort();
    port.open = async () => {
      port.isOpen = true;
      if (!order.includes(`open ${name}`)) order.push(`open ${name}`);
    };
    port.write = async () => {
      port.sent++;
      if (!order.includes(`ask ${name}`)) order.push(`ask ${name}`);
    };
    return port;
  };
  const names = ['ttyUSB0', 'ttyUSB1', 'ttyUSB2'];
  const silent = new Map(names.map((name) => [join(folder, name), portOf(name)]));
  const first: [outcome: ProbeOutcome, sent: number][] = [];
  const sent = () => [...silent.values()].reduce((sum, port) => sum + port.sent, 0);
  const { ports, attempts } = await probePorts({
    ports: [...silent.keys()].map((path) => ({ device: path, path })),
    configured: null,
    open: (path) => silent.get(path) ?? new SilentPort(),
    clock: systemClock,
    budgetMs: 600,
    deadlineMs: systemClock.monotonic() + 60_000,
    onFirst: (outcome) => first.push([outcome, sent()]),
  });
  assert.equal(order.slice(0, 3).sort(), ['open ttyUSB0', 'open ttyUSB1', 'open ttyUSB2'], order.join());
  assert.is(first.length, 1);
  const [outcome, sentBefore] = first[0] ?? [];
  assert.equal(
    outcome?.ports.map(({ kind }) => kind),
    ['silence', 'silence', 'silence'],
  );
  assert.is(sentBefore, 6, 'twice on each port');
  assert.ok(attempts > 6, 'then the sweep');
  assert.ok(ports.every(({ untried }) => untried > 0));
});

/** Two adapters on one pair of wires, with a board: who sends while another sends spoils both, and each hears the other. */
class SharedLine {
  readonly #heard = new Set<(bytes: Uint8Array) => void>();
  #talkers = 0;
  #isSpoilt = false;

  port(): SilentPort {
    const port = new SilentPort();
    let listener: ((bytes: Uint8Array) => void) | undefined;
    Object.assign(port, {
      onBytes: (taken: (bytes: Uint8Array) => void) => {
        listener = taken;
        this.#heard.add(taken);
        return () => this.#heard.delete(taken);
      },
      write: async (request: Uint8Array) => {
        port.sent++;
        this.#isSpoilt = this.#talkers > 0;
        this.#talkers++;
        await systemClock.sleep(20);
        this.#talkers--;
        const isSpoilt = this.#isSpoilt;
        const carried = isSpoilt ? request.map((byte) => byte ^ 0x55) : request;
        for (const other of this.#heard) if (other !== listener) other(carried);
        if (isSpoilt) return;
        await systemClock.sleep(10);
        for (const taken of this.#heard) taken(appendCrc(Uint8Array.of(request[0] ?? 0, 1, 1, 0)));
      },
    });
    return port;
  }
}

test('DIAG-041 two adapters on one line are asked in turn when they talk into each other', async () => {
  const folder = temporaryFolder('probe-');
  const line = new SharedLine();
  const ports = new Map([line.port(), line.port()].map((port, n) => [join(folder, `ttyUSB${n}`), port]));
  const { hits } = await probePorts({
    ports: [...ports.keys()].map((path) => ({ device: path, path })),
    configured: null,
    open: (path) => ports.get(path) ?? new SilentPort(),
    clock: systemClock,
    budgetMs: 600,
    deadlineMs: systemClock.monotonic() + 60_000,
  });
  assert.equal(
    hits.map(({ device, kind }) => [device, kind]),
    [...ports.keys()].map((path) => [path, 'answer']),
  );
});

test('DIAG-041 a port that cannot be given back ends the probe when no other port is in use any more', async () => {
  const folder = temporaryFolder('probe-');
  const [broken, other] = [new SilentPort(), new SilentPort()];
  broken.close = () => Promise.reject(new Error('not closed'));
  const ports = new Map([broken, other].map((port, n) => [join(folder, `ttyUSB${n}`), port]));
  const asked = probePorts({
    ports: [...ports.keys()].map((path) => ({ device: path, path })),
    configured: null,
    open: (path) => ports.get(path) ?? new SilentPort(),
    clock: systemClock,
    budgetMs: 100,
    deadlineMs: systemClock.monotonic() + 60_000,
  });
  await asked.then(
    () => assert.unreachable('it went on'),
    (error) => assert.match(String(error), 'not closed'),
  );
  const { sent, isOpen } = other;
  assert.is(isOpen, false);
  await systemClock.sleep(700);
  assert.equal([other.sent, other.isOpen], [sent, false], 'it is left alone');
});

test.run();
