import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { BenchRig } from '../bench/bench-rig.ts';
import { root } from '../bench/program.ts';
import { envOf, Terminal } from './diag-rig.ts';

const test = suite('svc-diag --shell');
const LONG = { timeoutMs: 120_000 };

let rig: BenchRig;
test.before(async () => {
  rig = await BenchRig.open();
});
test.after(() => rig.close());

/** A script on standard input. */
async function script(text: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(root, 'dist', 'svc-diag.cjs'), '--shell', ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: rig.folder, ...envOf(rig) },
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
    });
  child.stdin.end(text);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...texts };
}

test(
  'DIAG-030 a script: failed commands do not end it, the end of the input does; JSON can be switched',
  async () => {
    const { code, stdout, stderr } = await script(
      'bogus\nbenchmark 0\nhealth extra\njson\nhealth\n# a comment\nhelp\n',
    );
    assert.is(code, 0, stderr);
    assert.match(stderr, 'unknown command "bogus"');
    assert.match(stderr, 'not 1 to 600 s');
    assert.match(stderr, 'health takes nothing behind it');
    assert.match(stdout, '"mode":"real"');
    assert.match(stdout, '"commands"');
  },
  LONG,
);

for (const [what, isInputOpen] of [
  ['with its input at its end', false],
  ['while its input is still open', true],
] as const)
  test(
    `DIAG-030 a reader that closes the pipe ends the shell ${what}, and no error is written about it`,
    async () => {
      const child = spawn(process.execPath, [join(root, 'dist', 'svc-diag.cjs'), '--shell'], {
        env: { PATH: process.env.PATH ?? '', HOME: rig.folder, ...envOf(rig) },
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk;
      });
      const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
      child.stdin.write('health\n');
      await new Promise((resolve) => child.stdout.once('data', resolve));
      child.stdout.destroy();
      child.stdin.write('health\nhelp\nhealth\n');
      if (!isInputOpen) child.stdin.end();
      assert.is(await closed, 0, stderr);
      assert.is(child.signalCode, null);
      assert.not.match(stderr, 'EPIPE');
      assert.not.match(stderr, /^\s+at /m);
    },
    LONG,
  );

test(
  'DIAG-048 under --strict a script ends with the exit code of its first command that fails',
  async () => {
    const { code, stdout } = await script('health\nbogus\nlist\n', '--strict');
    assert.is(code, 2);
    assert.match(stdout, 'mode: real');
    assert.not.match(stdout, 'I2C');
  },
  LONG,
);

test(
  'DIAG-031 calibrate in a script without --yes switches nothing',
  async () => {
    const before = rig.moves().length;
    const { code, stderr } = await script('calibrate\n', '--strict');
    assert.is(code, 4, stderr);
    assert.is(rig.moves().length, before);
  },
  LONG,
);

test(
  'DIAG-048 at a terminal: completion, a refused consent, Ctrl-C cancels the command and not the shell, history 0600',
  async () => {
    const terminal = new Terminal(rig, []);
    try {
      await terminal.until('svc-diag> ');
      terminal.type('hea');
      await terminal.until('hea');
      terminal.type('\t');
      await terminal.until('health');
      terminal.type('\r');
      await terminal.until('mode: real (bench)');
      await terminal.until('svc-diag> ', 2);
      const before = rig.moves().length;
      terminal.type('calibrate\r');
      await terminal.until('Type yes to go on');
      terminal.type('no\r');
      await terminal.until('nothing was switched');
      assert.is(rig.moves().length, before);
      terminal.type('calibrate\r');
      await terminal.until('Type yes to go on', 2);
      terminal.type('yes\r');
      await rig.untilOutputs((on) => on.some((one) => one.startsWith('coil')));
      terminal.type('typed while it runs\r');
      terminal.type('\x03');
      await terminal.until('the command is cancelled');
      await rig.untilOutputs((on) => on.length === 0);
      await terminal.until('aborted: ');
      assert.not.match(terminal.text, 'unknown command "typed"');
      terminal.resize(40);
      terminal.type('help\r');
      await terminal.until('end; so does Ctrl-D');
      terminal.type('exit\r');
      assert.is(await terminal.ended, 0);
    } finally {
      await terminal.end();
    }
    const history = join(rig.folder, '.svc_diag_history');
    assert.is(statSync(history).mode & 0o777, 0o600);
    assert.match(readFileSync(history, 'utf8'), /calibrate\n(.*\n)*health/);
  },
  LONG,
);

test(
  'DIAG-048 a lost connection in the middle of the function check: the rig becomes safe and the shell ends',
  async () => {
    const terminal = new Terminal(rig, ['--yes']);
    try {
      await terminal.until('svc-diag> ');
      terminal.type('calibrate\r');
      await rig.untilOutputs((on) => on.some((one) => one.startsWith('coil')));
      terminal.hangUp();
      await rig.untilOutputs((on) => on.length === 0);
      await terminal.ended;
    } finally {
      await terminal.end();
    }
    while (((await rig.get('/api/v1/lease')) as { held: boolean }).held) await systemClock.sleep(50);
  },
  LONG,
);

test(
  'DIAG-048 --plain and a dumb terminal: no redrawn line, no history',
  async () => {
    for (const [args, env] of [
      [['--plain'], { HOME: join(rig.folder, 'none') }],
      [[], { TERM: 'dumb', HOME: join(rig.folder, 'none') }],
    ] as const) {
      const terminal = new Terminal(rig, args, { columns: 40, env });
      try {
        terminal.type('health\r');
        await terminal.until('mode: real');
        terminal.type('exit\r');
        assert.is(await terminal.ended, 0);
        assert.not.ok(terminal.text.includes('\x1b['), JSON.stringify(terminal.text));
      } finally {
        await terminal.end();
      }
    }
    assert.is(existsSync(join(rig.folder, 'none')), false);
  },
  LONG,
);

test.run();
