import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svcctl stop, lease and hold');
const svcctl = new SvcctlProcess();
test.before(() => svcctl.build());
test.after(() => svcctl.dispose());

const ID = '0123456789abcdef0123456789abcdef';

/** Arguments, and what the one sentence must name: the value and the remedy. */
const WRONG: readonly (readonly [args: readonly string[], ...named: string[]])[] = [
  [['lease', 'tkae'], '"tkae"', 'did you mean take'],
  [['lease', 'take', '--ttl', '2m', '--owner', 'a'], '--ttl', '1s to 60s'],
  [['lease', 'take', '--ttl', 'soon'], '"soon"', '15s'],
  [['lease', 'take'], 'the holder', '--owner'],
  [['lease', 'renew'], 'needs the id', 'SVC_LEASE_ID'],
  [['lease', 'release', '--id', 'x'], '"x"', '--id'],
  [['lease', 'show', '--ttl', '5s'], '--ttl', 'lease take'],
  [['lease', 'renew', '--id', ID, '--as-is'], '--as-is', 'release'],
  [['lease', 'take', '--owner', 'a', '--as-is'], '--as-is', '--keep'],
  [['hold', '--renew', '--keep'], '--keep', 'one of them'],
  [['stop', 'now'], '"now"', 'no use'],
  [['stop', '--firmware-url', 'bridge:8202'], '"bridge:8202"', 'http://'],
  [['stpo'], '"stpo"', 'did you mean "stop"?'],
];

test('each wrong invocation exits 2 with one sentence that names value and remedy', async () => {
  for (const [args, ...named] of WRONG) {
    const { code, stdout, stderr } = await svcctl.run(args);
    const what = `svcctl ${args.join(' ')}: ${stderr}${stdout}`;
    assert.is(code, 2, what);
    assert.is(stdout, '', what);
    assert.is(stderr.trimEnd().split('\n').length, 1, what);
    for (const part of named) assert.ok(stderr.includes(part), `${what} names ${part}`);
  }
});

test('a bridge that is not there is exit 3, in one sentence with the remedy', async () => {
  const args = ['lease', '--json', '--firmware-url', 'http://127.0.0.1:1'];
  const finished = await svcctl.run(args);
  assert.is(finished.code, 3);
  const { ok, code, error } = onlyJson(finished);
  assert.equal([ok, code], [false, 'bridge_unreachable']);
  assert.match(String(error), 'http://127.0.0.1:1 does not answer');
});

test('SVC-003 the token goes to the bridge that was named, and what it refuses is reported in its own words', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.statusCode = 410;
    response.end('{"ok":false,"code":"lease_gone","detail":"no such lease: take a new one"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { SVC_API_TOKEN: 'sixteen-or-more-x', SVC_LEASE_ID: ID, SVC_FIRMWARE_URL: url };
  const { code, stderr } = await svcctl.run(['lease', 'renew'], { env });
  server.close();
  assert.equal([code, stderr], [3, 'svcctl: no such lease: take a new one\n']);
  assert.equal(asked, [`POST /api/v1/lease/${ID}/renew Bearer sixteen-or-more-x`]);
});

test('SVC-039 a bridge of another machine that gives no report is never taken for a stop', async () => {
  const env = { SVC_FIRMWARE_URL: 'http://192.0.2.1:8202' };
  const child = svcctl.start(['stop', '--firmware-url', 'http://rig.invalid:8202', '--json'], { env });
  const finished = await child.finished;
  assert.is(finished.code, 3);
  const { ok, code, error } = onlyJson(finished);
  assert.equal([ok, code], [false, 'stop_failed']);
  assert.match(String(error), 'it is on another machine');
});

test.run();
