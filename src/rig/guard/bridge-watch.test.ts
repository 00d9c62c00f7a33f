import fs from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import process from 'node:process';
import { mock } from 'node:test';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { abstractAddress } from '../../lib/liveness/abstract-address.ts';
import { HeartbeatServer } from '../../lib/liveness/heartbeat-server.ts';
import { type JsonLine, jsonLines } from '../../lib/liveness/json-lines.ts';
import { suite } from '../../test-kit/suite.ts';
import { OperatorStopLatch } from '../safe-state/operator-stop.ts';
import { BridgeWatch } from './bridge-watch.ts';

const test = suite('watch of the bridge');
let count = 0;

/** A bridge as far as the watch sees it: a life line of this process, and a server that answers /health. */
async function watched(answer: RequestListener, work: (rig: Watched) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = abstractAddress(`svc-live/watch-${process.pid}-${count++}`);
  const open = () => {
    const line = new HeartbeatServer({
      address,
      clock: systemClock,
      hello: () => ({ pid: process.pid, url, closing: false, safe_state: null }),
      log: () => {},
    });
    line.open();
    return line;
  };
  const lost: string[] = [];
  let seen = 0;
  const watch = new BridgeWatch({
    address,
    clock: systemClock,
    onLost: (loss, why) => lost.push(`${loss}: ${why}`),
    onSeen: () => {
      seen += 1;
    },
  });
  watch.start();
  const rig: Watched = { watch, lost, line: open(), open, seen: () => seen };
  try {
    await until(() => seen === 1);
    await work(rig);
  } finally {
    watch.stop();
    rig.line.close();
    server.closeAllConnections();
    server.close();
  }
}

interface Watched {
  watch: BridgeWatch;
  lost: string[];
  line: HeartbeatServer;
  open(): HeartbeatServer;
  seen(): number;
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await systemClock.sleep(10);
}

const well: RequestListener = (_request, response) => response.end('{"ok":true}');

test('SVC-041 three failures of /health in a row are a loss, though the heart beats; two are none', async () => {
  let failures = 2;
  let asked = 0;
  const answer: RequestListener = (_request, response) => {
    asked += 1;
    if (failures-- > 0) response.statusCode = 500;
    response.end('{}');
  };
  await watched(answer, async ({ lost }) => {
    await until(() => asked >= 3);
    assert.equal(lost, []);
    failures = 3;
    await until(() => lost.length > 0);
    assert.match(lost[0] ?? '', /^hung: 3 times in a row GET http.*status 500/);
  });
});

test('SVC-058 a bridge whose heartbeat comes is not lost because /health is slow, broken off or overloaded', async () => {
  const ways: RequestListener[] = [
    () => {},
    (_request, response) => response.destroy(),
    (_request, response) => {
      response.statusCode = 503;
      response.end('{}');
    },
  ];
  const perform = async (way: RequestListener) => {
    let asked = 0;
    const answer: RequestListener = (request, response) => {
      asked += 1;
      way(request, response);
    };
    await watched(answer, async ({ lost }) => {
      await until(() => asked >= 5);
      assert.equal(lost, []);
    });
  };
  await Promise.all(ways.map(perform));
});

test('SVC-041 a bridge that is ending answers no health and is not lost for it', () =>
  watched(
    (_request, response) => response.destroy(),
    async ({ lost, line, watch }) => {
      line.tell({ closing: true });
      line.tell({ safe_state: { running: true, reason: 'SIGTERM', outcome: null } });
      await systemClock.sleep(4500);
      assert.equal(lost, []);
      assert.is(watch.bridge?.safeState?.running, true);
    },
  ));

test('a watcher that was let go by a bridge that lives is connected again, and nothing is lost', () =>
  watched(well, async (rig) => {
    rig.line.close();
    rig.line = rig.open();
    await until(() => rig.seen() === 2);
    assert.equal(rig.lost, []);
  }));

test('SVC-041 a bridge without a life line is lost though its process is there', () =>
  watched(well, async ({ lost, line }) => {
    line.close();
    await until(() => lost.length > 0);
    assert.equal(lost, ['hung: its process is there without a life line']);
  }));

test('one that was given up stays lost, and the next one counts anew', () =>
  watched(well, async ({ watch, line, lost }) => {
    watch.giveUp();
    assert.is(watch.bridge, undefined);
    line.close();
    await systemClock.sleep(300);
    assert.equal(lost, [], 'told once at most');
  }));

/**
 * A bridge that greets and then says only what the test lets it say, watched on a clock that the test moves.
 * @param hello undefined for a bridge that does not greet
 */
async function watchedInSteps(
  hello: object | undefined,
  work: (rig: Stepped) => Promise<void>,
  acts = () => true,
): Promise<void> {
  const address = abstractAddress(`svc-live/watch-${process.pid}-${count++}`);
  const clock = new SteppedClock();
  const sockets: Socket[] = [];
  const heard: JsonLine[] = [];
  const say = (line: object) => sockets.at(-1)?.write(`${JSON.stringify(line)}\n`);
  const server = createSocketServer((socket) => {
    const take = jsonLines((line) => heard.push(line));
    socket.on('error', () => {}).on('data', take);
    sockets.push(socket);
    if (hello) say({ hello: { pid: process.pid, url: null, closing: false, safe_state: null, ...hello } });
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const lost: string[] = [];
  let isSeen = false;
  const onSeen = () => {
    isSeen = true;
  };
  const onLost = (loss: string, why: string) => void lost.push(`${loss}: ${why}`);
  const operatorStop = new OperatorStopLatch({
    record: { read: () => undefined, write: async () => {}, remove: async () => {} },
    ...{ clock, randomId: () => 'x', log: () => {} },
  });
  const watch = new BridgeWatch({ address, clock, onLost, onSeen, acts, operatorStop });
  const leave = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await until(() => watch.bridge === undefined);
  };
  const beat = async () => {
    say({ beat: 1 });
    await until(() => watch.silentMs === 0);
  };
  watch.start();
  try {
    await until(() => (hello ? isSeen : watch.isUndecided(1)) && watch.silentMs === 0);
    await work({ watch, clock, lost, beat, leave, heard, operatorStop });
  } finally {
    watch.stop();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

interface Stepped {
  watch: BridgeWatch;
  clock: SteppedClock;
  lost: string[];
  /** One sign of life, received. */
  beat(): Promise<void>;
  /** Its life line ends; its process is there. */
  leave(): Promise<void>;
  /** What the watch reported to it. */
  heard: JsonLine[];
  operatorStop: OperatorStopLatch;
}

/** How often a file below /proc is read meanwhile, but for the test's own look at its parent. */
async function readingsOfProc(work: () => Promise<void>): Promise<number> {
  const reading = mock.method(fs, 'readFileSync');
  syncBuiltinESMExports();
  try {
    await work();
    const ofProc = reading.mock.calls.filter(({ arguments: [path] }) => String(path).startsWith('/proc/'));
    return ofProc.filter(({ stack }) => !stack.stack?.includes('end-with-parent')).length;
  } finally {
    reading.mock.restore();
    syncBuiltinESMExports();
  }
}

test('SVC-041 a bridge without a heartbeat counts as hung after 2 s of silence, not before', () =>
  watchedInSteps({}, async ({ clock, lost, beat }) => {
    await clock.advance(1500);
    await beat();
    await clock.advance(1975);
    assert.equal(lost, []);
    await clock.advance(25);
    assert.equal(lost, ['hung: no heartbeat for 2 s']);
  }));

test('SVC-041 a bridge that is ending counts as hung after 9.5 s, though its heart beats', () =>
  watchedInSteps({ closing: true, url: 'http://127.0.0.1:9' }, async ({ clock, lost, beat }) => {
    for (let second = 0; second < 9; second++) {
      await clock.advance(1000);
      await beat();
    }
    await clock.advance(475);
    assert.equal(lost, []);
    await clock.advance(25);
    assert.equal(lost, ['hung: it does not come to its end']);
  }));

test('SVC-053 a bridge that was silent while another guard acted, and beats again, is not lost for the one that takes over', async () => {
  let acts = false;
  await watchedInSteps(
    {},
    async ({ watch, clock, lost, beat }) => {
      await clock.advance(5000);
      await beat();
      acts = true;
      watch.lead();
      await clock.advance(1000);
      assert.equal([lost, watch.bridge?.mark.pid], [[], process.pid]);
      await clock.advance(1000);
      assert.equal(lost, ['hung: no heartbeat for 2 s'], 'it is watched as ever');
    },
    () => acts,
  );
});

test('SVC-053 a bridge that is silent when another guard takes over is lost at once', async () => {
  let acts = false;
  await watchedInSteps(
    {},
    async ({ watch, clock, lost }) => {
      await clock.advance(5000);
      assert.equal(lost, []);
      acts = true;
      watch.lead();
      assert.equal(lost, ['hung: no heartbeat for 2 s']);
    },
    () => acts,
  );
});

test('SVC-053 a guard that waits looks at no process while no bridge runs, and judges when it takes over', async () => {
  let acts = false;
  await watchedInSteps(
    {},
    async ({ watch, clock, lost, leave }) => {
      await leave();
      assert.is(await readingsOfProc(() => clock.advance(5000)), 0);
      acts = true;
      const readings = await readingsOfProc(async () => watch.lead());
      assert.equal(lost, ['hung: its process is there without a life line']);
      assert.ok(readings > 0, 'it looks now');
    },
    () => acts,
  );
});

test('SVC-053 a guard that waits looks for no process behind a silent life line, and judges when it takes over', async () => {
  let acts = false;
  await watchedInSteps(
    undefined,
    async ({ watch, clock, lost }) => {
      assert.is(await readingsOfProc(() => clock.advance(5000)), 0);
      acts = true;
      watch.lead();
      assert.equal(lost, ['hung: no heartbeat for 2 s']);
    },
    () => acts,
  );
});

test("SVC-049 an operator's stop of the guard is reported to the bridge at once, not with the next repetition", () =>
  watchedInSteps({}, async ({ operatorStop, heard }) => {
    operatorStop.set({ by: 'anna' }, 'operator');
    const told = () => heard.some(({ operator_stop }) => (operator_stop as JsonLine | null)?.id === 'x');
    await until(told);
  }));

test.run();
