import { spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { ownProcesses } from '../../src/cli/start/own-processes.ts';
import { runtimeFolder } from '../../src/cli/start/runtime-folder.ts';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { RIG_SERVICES } from '../../src/rig/profiles/rig-services.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { getJson } from './bench/bench-rig.ts';
import { type Ended, launch, type Program, root } from './bench/program.ts';
import { together } from './bench/together.ts';

const test = suite('npm start');

const QUICK = "GOAL:\n  SET NAME 'One reading'\n  GET AI01\n";
const HOLDING = "GOAL:\n  SET NAME 'Hold'\n  SET valve-nc open\n  SET pump 20 %\n  WAIT 60s\n";

/** A start in a folder of its own; whatever the test did, nothing of it is left. */
class Start {
  readonly path = mkdtempSync(join(tmpdir(), 'start-'));
  readonly folder = runtimeFolder(root, this.path, root);
  readonly #programs: Program[] = [];

  launch(text: string | undefined, ...args: string[]): Program {
    const scenario = join(this.path, 'scenario.oql');
    if (text !== undefined) writeFileSync(scenario, text);
    const chosen = text === undefined ? [] : ['--scenario', scenario];
    const program = launch('svc-start', ['--port', '0', '--bench-port', '0', ...chosen, ...args], {
      RIG_RUNTIME_DIR: this.path,
    });
    this.#programs.push(program);
    return program;
  }

  /** Processes, sockets and files that are there, the records of the runs aside. */
  left(): string[] {
    const files = readdirSync(this.path).filter((name) => name !== 'runs' && name !== 'scenario.oql');
    return [...ownProcesses(this.folder).map(({ role }) => role), ...files];
  }

  async close(): Promise<void> {
    for (const { child } of this.#programs) child.kill('SIGTERM');
    const running = this.#programs.filter(
      ({ child }) => child.exitCode === null && child.signalCode === null,
    );
    await Promise.all(running.map(({ ended }) => ended));
    // A start that was killed leaves its processes to the next one.
    if (this.left().length > 0) await this.launch(QUICK, '--once').ended;
    rmSync(this.path, { recursive: true, force: true });
  }
}

async function starting(work: (start: Start) => Promise<void>): Promise<void> {
  const start = new Start();
  try {
    await work(start);
  } finally {
    await start.close();
  }
}

/** Base URLs that a start has named: of the bench, then of the bridge. */
const urls = ({ text }: Pick<Program, 'text'>): string[] =>
  [...text().matchAll(/http:\/\/127\.0\.0\.1:\d+(?= \(pid)/g)].map(String);

const answers = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

async function assertNothingLeft(start: Start, program: Program): Promise<void> {
  assert.equal(start.left(), []);
  const named = urls(program);
  assert.is(named.length, 2, program.text());
  for (const url of named) assert.not.ok(await answers(url), `${url} still answers`);
}

const said = ({ stdout, stderr }: Ended) => `${stdout}\n${stderr}`;

together(
  test,
  {
    '--once runs the valve smoke test through bridge, RTU and twins, ends with 0 and leaves only the record':
      () =>
        starting(async (start) => {
          const program = start.launch(undefined, '--once');
          const ended = await program.ended;
          assert.is(ended.code, 0, said(ended));
          assert.match(ended.stdout, /6\/6 passed \(bench, not a test\)\n$/);
          assert.match(ended.stderr, 'all outputs of the twins were off');
          await assertNothingLeft(start, program);
          // Beside the key that seals the records of this rig.
          const runs = readdirSync(join(start.path, 'runs'))
            .filter((name) => name !== '.rig-key.pem')
            .sort();
          assert.equal(
            runs.map((name) => name.replace(/^.*Z-|\d/g, '')),
            ['valve-smoke.html', 'r--'],
          );
          const lines = readFileSync(join(start.path, 'runs', runs[1]!, 'events.ndjson'), 'utf8')
            .trim()
            .split('\n');
          const last = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
          assert.equal([last.type, last.outcome, last.passed], ['run.end', 'passed', 6]);
        }),

    'the demonstration runs on the page; Ctrl-C in the middle of it aborts it with its teardown, and nothing is left':
      () =>
        starting(async (start) => {
          const program = start.launch(undefined);
          await program.until("[passed] ASSERT_VALVE 'valve-nc' on");
          const [page] = /http:\/\/127\.0\.0\.1:\d+(?=\/:)/.exec(program.text()) ?? [];
          const { runs } = (await getJson(`${page}/api/runs`)) as {
            runs: { status: string; scenario_id: string }[];
          };
          assert.equal([runs[0]?.status, runs[0]?.scenario_id], ['running', 'valve-smoke']);
          program.child.kill('SIGINT');
          const ended = await program.ended;
          assert.is(ended.code, 130, said(ended));
          assert.match(ended.stdout, '[passed] [CONFIG] leave safe');
          assert.match(ended.stderr, 'all outputs of the twins were off');
          await assertNothingLeft(start, program);
          const record = readdirSync(join(start.path, 'runs')).find((name) => name.startsWith('r-'));
          const run = readFileSync(join(start.path, 'runs', String(record), 'run.json'), 'utf8');
          assert.match(run, '"aborted"');
        }),

    'Ctrl-C on a rig that is up leaves nothing behind': () =>
      starting(async (start) => {
        const program = start.launch(QUICK);
        await program.until('The rig is up');
        assert.ok(await answers(urls(program)[1]!));
        program.child.kill('SIGINT');
        const ended = await program.ended;
        assert.is(ended.code, 0, said(ended));
        await assertNothingLeft(start, program);
      }),

    'two Ctrl-C in the middle of a run: aborted, outputs off, nothing left': () =>
      starting(async (start) => {
        const program = start.launch(HOLDING);
        await program.until('[passed] SET pump 20 %');
        program.child.kill('SIGINT');
        await program.until('a second signal skips the teardown');
        program.child.kill('SIGINT');
        const ended = await program.ended;
        assert.is(ended.code, 130, said(ended));
        assert.match(ended.stderr, 'all outputs of the twins were off');
        await assertNothingLeft(start, program);
      }),

    'killed with -9 in the middle of a run: the next start clears up and works': () =>
      starting(async (start) => {
        const killed = start.launch(HOLDING);
        await killed.until('[passed] SET pump 20 %');
        killed.child.kill('SIGKILL');
        const roles = ownProcesses(start.folder)
          .map(({ role }) => role)
          .filter((role) => role !== 'svc-guard-partner');
        assert.equal(
          // A guard that starts its partner is there twice for a moment.
          [...new Set(roles)].sort(),
          ['pm2', 'svc-bench', 'svcctl', ...RIG_SERVICES].sort(),
          'its processes go on',
        );
        const next = start.launch(QUICK, '--once');
        const ended = await next.ended;
        assert.is(ended.code, 0, said(ended));
        assert.match(ended.stderr, 'clearing up');
        await assertNothingLeft(start, next);
        for (const url of urls(killed)) assert.not.ok(await answers(url));
        await killed.ended;
      }),

    'SVC-057 start and PM2 killed with -9: the next start ends the services without a supervisor, then starts its own':
      () =>
        starting(async (start) => {
          const killed = start.launch(HOLDING);
          await killed.until('[passed] SET pump 20 %');
          killed.child.kill('SIGKILL');
          for (const { pid } of ownProcesses(start.folder, ['pm2'])) process.kill(pid, 'SIGKILL');
          const before = new Set(ownProcesses(start.folder, RIG_SERVICES).map(({ pid }) => pid));
          assert.is(before.size, RIG_SERVICES.length, 'they go on');
          const next = start.launch(QUICK);
          await next.until('The rig is up');
          const after = ownProcesses(start.folder, RIG_SERVICES);
          assert.equal(after.map(({ role }) => role).sort(), [...RIG_SERVICES].sort());
          assert.not.ok(after.some(({ pid }) => before.has(pid)));
          next.child.kill('SIGINT');
          await next.ended;
          await assertNothingLeft(start, next);
          await killed.ended;
        }),

    'SVC-040 kill -9 of the bridge in the middle of a run: the rig is made safe and PM2 starts it again':
      () =>
        starting(async (start) => {
          const program = start.launch(HOLDING, '--once');
          await program.until('[passed] SET pump 20 %');
          const [bench = ''] = urls(program);
          const bridges = () => ownProcesses(start.folder).filter(({ role }) => role === 'svc-bridge');
          const [first] = bridges();
          process.kill(first!.pid, 'SIGKILL');
          const pumping = async () =>
            ((await getJson(`${bench}/bench/v1/outputs`)) as { pump: { fraction: number } }).pump.fraction >
            0;
          while (await pumping()) await systemClock.sleep(20);
          // The guard may have been quicker than PM2.
          while (bridges().every(({ pid }) => pid === first?.pid)) await systemClock.sleep(20);
          assert.is(bridges().length, 1);
          const ended = await program.ended;
          assert.is(ended.code, 3, said(ended));
          await assertNothingLeft(start, program);
        }),

    'SVC-068 an edited svc.yaml outlives Ctrl-C, SIGTERM and kill -9, and the next start runs with it': () =>
      starting(async (start) => {
        const { config } = start.folder;
        const edit = '\nlimits: { pump: { max_power_pct: 10 } }\n';
        const first = start.launch(QUICK);
        await first.until('The rig is up');
        appendFileSync(config, edit);
        const edited = readFileSync(config, 'utf8');
        first.child.kill('SIGINT');
        assert.is((await first.ended).code, 0);
        assert.equal(start.left(), ['svc.yaml']);

        const second = start.launch(HOLDING);
        await second.until('The rig is up');
        assert.match(second.text(), /limit/, 'the pump may not run at 20 %');
        second.child.kill('SIGTERM');
        assert.is.not((await second.ended).code, 0);
        assert.is(readFileSync(config, 'utf8'), edited);

        const third = start.launch(QUICK);
        await third.until('The rig is up');
        third.child.kill('SIGKILL');
        await third.ended;
        const last = await start.launch(QUICK, '--once').ended;
        assert.is(last.code, 0, said(last));
        assert.match(last.stderr, 'clearing up');
        assert.is(readFileSync(config, 'utf8'), edited);
        rmSync(config);
      }),

    'SVC-068 --config FILE runs with that file and leaves it, also when it is the generated one': () =>
      starting(async (start) => {
        const { config } = start.folder;
        const first = start.launch(QUICK);
        await first.until('The rig is up');
        const chosen = join(start.path, 'runs', 'chosen.yaml');
        copyFileSync(config, chosen);
        first.child.kill('SIGTERM');
        await first.ended;
        assert.equal(start.left(), [], 'unedited, so generated anew by the next start');

        const second = start.launch(QUICK, '--once', '--config', chosen);
        const ended = await second.ended;
        assert.is(ended.code, 0, said(ended));
        assert.match(ended.stderr, `configuration: ${chosen}`);
        assert.equal(start.left(), []);
        copyFileSync(chosen, config);
        const own = await start.launch(QUICK, '--once', '--config', config).ended;
        assert.is(own.code, 0, said(own));
        assert.ok(existsSync(config), 'named, so never removed');
        rmSync(config);
      }),

    'a second start in the same folder ends with 75 and says who runs already': () =>
      starting(async (start) => {
        const first = start.launch(QUICK);
        await first.until('svc-bench');
        const second = await start.launch(QUICK).ended;
        assert.is(second.code, 75, said(second));
        assert.match(second.stderr, `npm start runs already in ${start.path} (pid ${first.pid}`);
        await first.until('The rig is up');
      }),

    'a port in use ends with 75 and names the holder; nothing is started': () =>
      starting(async (start) => {
        const server = createServer();
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as { port: number };
        try {
          const ended = await start.launch(QUICK, '--port', String(port)).ended;
          assert.is(ended.code, 75, said(ended));
          assert.match(ended.stderr, `port ${port} of the bridge is held by`);
          assert.match(ended.stderr, `(pid ${process.pid})`);
          assert.match(ended.stderr, '--port');
          assert.equal(start.left(), []);
        } finally {
          server.close();
        }
      }),

    "the run's verdict is the exit code; the caller's variables of a real rig lead nowhere": () =>
      starting(async (start) => {
        const program = launch(
          'svc-start',
          [...['--once', '--port', '0', '--bench-port', '0', '--scenario'], join(start.path, 'scenario.oql')],
          {
            RIG_RUNTIME_DIR: start.path,
            SVC_HARDWARE_MODE: 'mock',
            SVC_MODBUS_SERIAL_PORT: '/dev/ttyACM1',
            SVC_API_TOKEN: 'a token of sixteen',
          },
        );
        writeFileSync(
          join(start.path, 'scenario.oql'),
          "GOAL:\n  SET NAME 'Limit'\n  SET valve-nc open\n  CHECK AI01 >= 2 V\n",
        );
        const ended = await program.ended;
        assert.is(ended.code, 1, said(ended));
        assert.match(ended.stdout, '1 failed (bench, not a test)');
        assert.equal(start.left(), []);
      }),
  },
  // A rig is nine processes: more rigs at once hold each other up on two cores.
  { timeoutMs: 240_000, atOnce: 3 },
);

const terminal = '/usr/bin/script';
test.needs(existsSync(terminal), `${terminal} (util-linux) is not installed`)(
  'a terminal that is closed counts as Ctrl-C: nothing is left',
  () =>
    starting(async (start) => {
      writeFileSync(join(start.path, 'scenario.oql'), QUICK);
      const bundle = join(root, 'dist', 'svc-start.cjs');
      const command = `exec '${process.execPath}' '${bundle}' --port 0 --bench-port 0 --scenario '${start.path}/scenario.oql'`;
      const window = spawn(terminal, ['-qefc', command, '/dev/null'], {
        cwd: root,
        env: { ...process.env, SHELL: '/bin/sh', RIG_RUNTIME_DIR: start.path },
      });
      let shown = '';
      for await (const chunk of window.stdout.setEncoding('utf8')) {
        shown += chunk;
        if (shown.includes('Ctrl-C stops everything')) break;
      }
      const running = ownProcesses(start.folder).filter(({ role }) => role !== 'svc-guard-partner');
      assert.is(running.length, 2 + RIG_SERVICES.length, shown);
      window.kill('SIGKILL');
      while (start.left().length > 0) await systemClock.sleep(50);
    }),
);

test('SVC-068 a faulty configuration ends with 2 before anything is started, with path and remedy', async () => {
  const start = new Start();
  try {
    const missing = await start.launch(QUICK, '--config', 'no-such.yaml').ended;
    assert.is(missing.code, 2);
    assert.match(missing.stderr, '--config "no-such.yaml": no such file');
    writeFileSync(start.folder.config, 'limitz: {}\n');
    const faulty = await start.launch(QUICK).ended;
    assert.is(faulty.code, 2);
    assert.match(faulty.stderr, `${start.folder.config}: limitz = {}: unknown key; known keys here are`);
    rmSync(start.folder.config);
    assert.equal(start.left(), []);
  } finally {
    await start.close();
  }
});

test('a scenario that is not there ends with 2 before anything is started', async () => {
  const start = new Start();
  const ended = await start.launch(undefined, '--scenario', 'no-such.oql').ended;
  assert.is(ended.code, 2);
  assert.match(ended.stderr, '"no-such.oql": no such file');
  await start.close();
  assert.not.ok(existsSync(start.path));
});

test.run();
