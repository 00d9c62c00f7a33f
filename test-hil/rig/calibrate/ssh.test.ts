import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { endWithThisProcess, temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { BenchRig } from '../bench/bench-rig.ts';
import { root } from '../bench/program.ts';

const SSHD = '/usr/sbin/sshd';
const test = suite('a calibration over SSH');
const hasSshd = existsSync(SSHD) && existsSync('/usr/bin/ssh') && process.getuid?.() === 0;
const overSsh = test.needs(hasSshd, 'openssh-server is not installed, or this is not root');
const LONG = { timeoutMs: 240_000 };

/** A real sshd on loopback with keys of its own; it notices a dead client within 3 s. */
class Sshd {
  readonly #folder = temporaryFolder('sshd-');
  readonly #server: ChildProcess;
  readonly #port: number;

  private constructor(port: number) {
    this.#port = port;
    // sshd asks for this folder; it is empty.
    mkdirSync('/run/sshd', { recursive: true });
    for (const name of ['host', 'client'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(this.#folder, name)]);
    copyFileSync(join(this.#folder, 'client.pub'), join(this.#folder, 'authorized'));
    chmodSync(join(this.#folder, 'authorized'), 0o600);
    const config = [
      ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${join(this.#folder, 'host')}`, 'PidFile none'],
      ...[`AuthorizedKeysFile ${join(this.#folder, 'authorized')}`, 'StrictModes no', 'UsePAM no'],
      ...['PasswordAuthentication no', 'PermitRootLogin prohibit-password'],
      ...['ClientAliveInterval 1', 'ClientAliveCountMax 2', 'LogLevel ERROR'],
    ];
    writeFileSync(join(this.#folder, 'config'), `${config.join('\n')}\n`);
    this.#server = spawn(SSHD, ['-D', '-e', '-f', join(this.#folder, 'config')], { stdio: 'ignore' });
  }

  static async open(): Promise<Sshd> {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    return new Sshd(port);
  }

  /** A command at a terminal of its own, as a person has it. */
  client(command: string): ChildProcess {
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'];
    return spawn(
      'ssh',
      [
        ...['-tt', '-F', 'none', '-p', String(this.#port), '-i', join(this.#folder, 'client')],
        ...[...options, 'ConnectionAttempts=30'].flatMap((option) => ['-o', option]),
        ...['root@127.0.0.1', command],
      ],
      { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...endWithThisProcess() } },
    );
  }

  close(): void {
    this.#server.kill('SIGKILL');
  }
}

let rig: BenchRig;
let sshd: Sshd;
test.before(async () => {
  if (!hasSshd) return;
  rig = await BenchRig.open();
  sshd = await Sshd.open();
});
test.after(async () => {
  if (!hasSshd) return;
  sshd.close();
  await rig.close();
});

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

function calibration(): string {
  const variables = Object.entries({
    PATH: process.env.PATH ?? '',
    SVC_CONFIG_PATH: rig.config,
    SVC_STATE_DIR: rig.folder,
  }).map(([name, value]) => `${name}=${quoted(value)}`);
  const args = [
    ...[
      'calibrate',
      'ai01',
      '--range',
      '0..100',
      '--points',
      '0,100',
      '--samples',
      '3',
      '--due',
      '2099-01-01',
    ],
    ...['--by', 'Anna', '--bench-reference', '--bench-url', rig.benchUrl, '--firmware-url', rig.bridge.url],
    ...['--pump', '--valve', 'valve-1', '--yes'],
  ];
  const program = [process.execPath, join(root, 'dist', 'svcctl.cjs'), ...args].map(quoted);
  return `echo $$ > ${quoted(PID_FILE())}; exec env ${variables.join(' ')} ${program.join(' ')}`;
}

/** The calibration writes its pid here: a lease that is free does not say that nothing is written any more. */
const PID_FILE = (): string => join(rig.folder, 'calibration.pid');

async function untilItEnded(): Promise<void> {
  const pid = Number(readFileSync(PID_FILE(), 'utf8'));
  while (existsSync(`/proc/${pid}`)) await systemClock.sleep(50);
}

/** Every file that a calibration leaves, whatever its name. */
function kept(): string[] {
  const folder = join(rig.folder, 'calibrations');
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : [];
}

for (const [what, lose] of [
  ['ends', (client: ChildProcess) => client.kill('SIGKILL')],
  ['is silent for good', (client: ChildProcess) => client.kill('SIGSTOP')],
] as const)
  overSsh(
    `DIAG-047 DIAG-048 an SSH connection that ${what} in the middle of a calibration: actuators off, nothing half written, the lease free`,
    async () => {
      const before = [readFileSync(rig.config, 'utf8'), kept()];
      const client = sshd.client(calibration());
      try {
        await rig.untilOutputs((on) => on.some((one) => one.startsWith('pump')));
        lose(client);
        await rig.untilOutputs((on) => on.length === 0);
        while (((await rig.get('/api/v1/lease')) as { held: boolean }).held) await systemClock.sleep(50);
        await untilItEnded();
        assert.equal([readFileSync(rig.config, 'utf8'), kept()], before);
      } finally {
        client.kill('SIGKILL');
      }
    },
    LONG,
  );

test.run();
