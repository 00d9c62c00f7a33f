import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { killAll, launch, launchReady } from '../../test-kit/services/program.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svc-bridge program');
test.after(killAll);

test('SVC-040 SIGTERM and SIGINT run the safe state and end with 0', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const program = await launchReady();
    assert.is(program.ready.ready, true);
    assert.is(program.ready.pid, program.child.pid);
    assert.is((await fetch(`${program.ready.url}/health`)).status, 200);
    program.child.kill(signal);
    const { code, stderr } = await program.ended;
    assert.is(code, 0);
    assert.match(stderr, `safe state: simulated (${signal})`);
  }
});

test('SVC-040 an uncaught error and an unhandled rejection run the safe state and end with 1', async () => {
  for (const [fault, reason] of [
    ['throw new Error("boom")', 'uncaught_exception'],
    ['Promise.reject(new Error("boom"))', 'unhandled_rejection'],
  ]) {
    const script = `process.on("SIGUSR2",()=>{${fault}})`;
    const injected = `--import data:text/javascript,${encodeURIComponent(script)}`;
    const program = await launchReady({ NODE_OPTIONS: injected });
    program.child.kill('SIGUSR2');
    const { code, stderr } = await program.ended;
    assert.is(code, 1);
    assert.match(stderr, `safe state: simulated (${reason})`);
    assert.match(stderr, 'boom');
  }
});

test('SVC-001 --port beats SVC_BRIDGE_PORT, and the default host is 127.0.0.1', async () => {
  const program = await launchReady({ SVC_BRIDGE_PORT: '1' });
  assert.ok(program.ready.url.startsWith('http://127.0.0.1:'));
  assert.is.not(program.ready.url, 'http://127.0.0.1:1');
  program.child.kill('SIGTERM');
  await program.ended;
});

/** Of six programs at once, also on one slow core. */
const SIX_STARTS = { timeoutMs: 120_000 };

test(
  'SVC-002 SVC-048 a bad option, variable or file ends with 2 and one line on stderr',
  async () => {
    const cases: [string[], Record<string, string>, string][] = [
      [['--port', 'many'], {}, '--port "many"'],
      [['--prot', '1'], {}, "unknown option '--prot'"],
      [[], { SVC_BRIDGE_PORT: '70000' }, 'SVC_BRIDGE_PORT "70000"'],
      [[], { SVC_HARDWARE_MODE: 'reel' }, 'must be mock or real'],
      [['--host', '0.0.0.0', '--port', '0'], {}, 'SVC_API_TOKEN is not set'],
      [[], { SVC_CONFIG_PATH: '/nonexistent.yaml' }, 'no such file'],
    ];
    const results = await Promise.all(
      cases.map(async ([args, env, text]) => ({ ...(await launch(args, env).ended), text })),
    );
    for (const { code, stderr, stdout, text } of results) {
      assert.is(code, 2, `${text}: ${stderr}`);
      assert.match(stderr, text);
      assert.is(stderr.trim().split('\n').length, 1, stderr);
      assert.is(stdout, '');
    }
  },
  SIX_STARTS,
);

test('a port in use ends with 75 and names it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await launch(['--port', String(port)]).ended;
  assert.is(code, 75);
  assert.match(stderr, `127.0.0.1:${port} is in use`);
  other.close();
});

test('--version and --help answer on stdout and end with 0', async () => {
  const [versionRun, helpRun] = await Promise.all([launch(['--version']).ended, launch(['--help']).ended]);
  assert.equal([versionRun.code, helpRun.code], [0, 0]);
  assert.match(versionRun.stdout, /^\d+\.\d+\.\d+/);
  assert.match(helpRun.stdout, '--port <port>');
});

test.run();
