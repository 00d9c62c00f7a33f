import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { guardAddress, rigKey } from '../../lib/liveness/live-address.ts';
import { openGuardSocket } from '../../rig/guard/guard-socket.ts';
import { evaluatedBy } from '../../test-kit/cli/evaluated.ts';
import { onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('how svcctl starts');
const svcctl = new SvcctlProcess();
const REPORT = { ok: true, outcome: 'safe', reason: 'requested', duration_ms: 1, mock: false, steps: [] };
/** The bridge does not answer earlier. */
let mayAnswer: Promise<unknown> = Promise.resolve();
const bridge = createServer(async (_request, response) => {
  await mayAnswer;
  response.end(JSON.stringify(REPORT));
});
const env: Record<string, string> = {};

test.before(async () => {
  await svcctl.build();
  await new Promise<void>((resolve) => bridge.listen(0, '127.0.0.1', resolve));
  env.SVC_FIRMWARE_URL = `http://127.0.0.1:${(bridge.address() as AddressInfo).port}`;
  env.SVC_STATE_DIR = svcctl.path('state');
  mkdirSync(svcctl.path('state'));
});
test.after(() => {
  bridge.close();
  svcctl.dispose();
});

const COMMANDS = [
  ...['run', 'cmd', 'validate', 'validate-dir', 'format', 'stop', 'lease', 'hold', 'bench', 'profile'],
  ...['services', 'adc-confirm', 'calibration', 'completion'],
];
/** What a stop has no use for: fetch, HTTP/2, and the start of other programs. */
const NOT_BUILT_IN = /undici|http2|child_process|readline/;

test('a stop evaluates no package and nothing but the stop', async () => {
  for (const args of [['stop'], ['stop', '--json', '--firmware-url', env.SVC_FIRMWARE_URL ?? '']]) {
    const { code, modules, builtIns, stderr } = await evaluatedBy(svcctl, args, env);
    assert.is(code, 0, stderr);
    assert.ok(modules.includes('src/cli/stop/stop-rig.ts'), 'the stop itself is seen');
    assert.ok(
      builtIns.some((name) => name.endsWith(' http')),
      'the modules of node are seen',
    );
    // Of the transports only the request itself.
    const needful = /^src\/(cli|lib|rig|transports\/http)\/|^src\/transports\/transport-error\.ts$/;
    const needless = modules.filter((path) => !needful.test(path));
    assert.equal(needless, []);
    assert.not.ok(modules.includes('src/cli/svcctl/command-line.ts'));
    assert.not.ok(modules.includes('src/cli/stop/run-guard-once.ts'));
    assert.equal(
      builtIns.filter((name) => NOT_BUILT_IN.test(name)),
      [],
    );
  }
});

test('help evaluates the command line and no command', async () => {
  const { code, modules } = await evaluatedBy(svcctl, ['stop', '--help']);
  assert.is(code, 0);
  assert.ok(modules.some((path) => path.startsWith('node_modules/commander/')));
  const needless = modules.filter((path) =>
    /^node_modules\/(?!commander\/)|^src\/cli\/(?!svcctl\/).*-command\.ts$/.test(path),
  );
  assert.equal(needless, []);
});

test('every command is there', async () => {
  const { stdout } = await svcctl.run(['--help']);
  const listed = [...stdout.matchAll(/^ {2}([a-z-]+) .* {2,}\S/gm)].map(([, name]) => name);
  for (const name of COMMANDS) {
    assert.ok(listed.includes(name), `${name} in ${listed.join(' ')}`);
    const { code, stdout: help, stderr } = await svcctl.run([name, '--help']);
    assert.equal([code, stderr], [0, '']);
    assert.ok(help.startsWith(`Usage: svcctl ${name} `), help);
  }
});

test('a stop ends with its report: a guard that still works at it does not hold it up', async () => {
  const address = guardAddress(rigKey(svcctl.path('state')));
  let guardIsAsked = (): void => {};
  mayAnswer = new Promise<void>((resolve) => {
    guardIsAsked = resolve;
  });
  const guard = await openGuardSocket(address, () => {
    guardIsAsked();
    return new Promise(() => {});
  });
  const startedAt = systemClock.monotonic();
  const finished = await svcctl.run(['stop', '--json'], { env });
  guard.close();
  // It would wait 10 s for the guard.
  assert.ok(systemClock.monotonic() - startedAt < 9000);
  assert.equal([finished.code, onlyJson(finished).by], [0, 'svc-bridge']);
});

test.run();
