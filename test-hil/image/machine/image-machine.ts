import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { layout } from '../../../src/image/layout.ts';
import type { Clock } from '../../../src/lib/clock/clock.ts';
import { type BuiltImage, builtImage } from './built-image.ts';
import { ROOT_SSH_PORT, rootSshUnit } from './root-ssh.ts';

/** An emulated boot on a machine that does other things too. */
const BOOT_MS = 15 * 60_000;
const POLL_MS = 1000;
const QEMU = 'qemu-system-aarch64';
const CONSOLE_CHARACTERS = 4000;
const TICKS_A_SECOND = 100;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface MachineOptions {
  clock: Clock;
  image?: BuiltImage;
  /** Text of rig.txt on the card, instead of the one of the image. */
  rigText?: string;
  /** Mebibytes; 1024 is a Pi 3. */
  memory?: number;
  /** Appended to the kernel's command line, for example `systemd.mask=svc-rig.service`. */
  kernelWords?: readonly string[];
  /** Appended to QEMU's command line. */
  qemuArguments?: readonly string[];
  /**
   * Time of the machine advances with the instructions that it executes (1 ns each, on one core) and with the host's clock while
   * it waits: where the host is busy, its time limits do not pass before it had the time to keep them. Default: the host's clock.
   */
  hasOwnTime?: boolean;
  /** Without it the machine has no network card. */
  network?: boolean;
}

/**
 * The image in QEMU's `virt` machine (aarch64, no KVM), on a copy that is thrown away: its own kernel, initial RAM disk and units.
 * A shell as root is let in by a unit that only this command line adds; nothing in the image is changed.
 */
export class ImageMachine {
  readonly folder: string;
  /** Written to by this machine only; a copy-on-write file over the image. */
  readonly disk: string;
  readonly #options: MachineOptions;
  readonly #image: BuiltImage;
  #qemu: ChildProcess | undefined;
  #said = '';
  #ports = { operator: 0, root: 0 };

  /** @param folder that is created and holds the disk, the console and the keys */
  constructor(folder: string, options: MachineOptions) {
    this.folder = folder;
    this.#options = options;
    this.#image = options.image ?? builtImage();
    mkdirSync(folder, { recursive: true });
    this.disk = join(folder, 'disk.qcow2');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', this.#key]);
    writeFileSync(join(folder, 'root-ssh.service'), rootSshUnit);
    const base =
      options.rigText === undefined ? this.#image.disk : cardWith(options.rigText, this.#image.disk, folder);
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', '-F', 'raw', '-b', base, this.disk]);
  }

  /** Public key of the one who tests. */
  get publicKey(): string {
    return readFileSync(`${this.#key}.pub`, 'utf8').trim();
  }

  /** On 127.0.0.1 of this machine: the image's own SSH server, and root's. */
  get ports(): Readonly<{ operator: number; root: number }> {
    return this.#ports;
  }

  /** Processor time that QEMU has taken since this boot, seconds: on a busy host less depends on it than on the clock. */
  get processorS(): number {
    const pid = this.#qemu?.pid;
    if (pid === undefined) return 0;
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
    } catch {
      return 0;
    }
  }

  /** What kernel and systemd have written to the console of this boot. */
  get console(): string {
    return readFileSync(this.#consoleFile, 'latin1');
  }

  /** Starts the machine and resolves when root's shell answers. @param more appended to QEMU's command line for this boot */
  async boot(more: readonly string[] = []): Promise<void> {
    this.#ports = { operator: await freePort(), root: await freePort() };
    writeFileSync(this.#consoleFile, '');
    this.#said = '';
    const qemu = spawn('setpriv', ['--pdeathsig', 'KILL', QEMU, ...this.#arguments(), ...more], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#qemu = qemu;
    qemu.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    qemu.on('error', (cause) => {
      this.#said += cause.message;
    });
    if (this.#options.network === false) return;
    await this.until('root is let in', async () => (await this.run('true')).code === 0);
  }

  /** Resolves when systemd has started all that it starts at boot, whatever came of it. */
  async settled(): Promise<string> {
    let state = '';
    await this.until('systemd has settled', async () => {
      state = (await this.run('systemctl is-system-running')).stdout.trim();
      return state === 'running' || state === 'degraded';
    });
    return state;
  }

  /** @throws Error with the end of the console when it never comes */
  async until(what: string, look: () => Promise<boolean>, limitMs = BOOT_MS): Promise<void> {
    const { clock } = this.#options;
    const endsAt = clock.monotonic() + limitMs;
    while (!(await look())) {
      const isOver = this.#qemu?.exitCode !== null && this.#qemu?.exitCode !== undefined;
      if (isOver || clock.monotonic() > endsAt)
        throw new Error(`${what}: never. ${this.#said}\n${this.console.slice(-CONSOLE_CHARACTERS)}`);
      await clock.sleep(POLL_MS);
    }
  }

  /** A command line in the machine as root. */
  run(command: string): Promise<Ended> {
    return this.#ssh('root', this.#ports.root, command);
  }

  /** A command line as somebody who logs in over the image's own SSH server. */
  runAs(account: string, command: string): Promise<Ended> {
    return this.#ssh(account, this.#ports.operator, command);
  }

  /** Lets `publicKey` in as operator. */
  async admitOperator(): Promise<void> {
    const folder = '/home/operator/.ssh';
    const { code, stderr } = await this.run(
      `install -d -m 0700 -o operator -g operator ${folder} && echo '${this.publicKey}' >${folder}/authorized_keys && chown operator:operator ${folder}/authorized_keys`,
    );
    if (code !== 0) throw new Error(`no key for operator: ${stderr}`);
  }

  /** Restart as a person does it. Resolves when root's shell answers again. */
  async reboot(): Promise<void> {
    const before = await this.run('cat /proc/sys/kernel/random/boot_id');
    await this.run('systemctl reboot');
    await this.until('it has restarted', async () => {
      const now = await this.run('cat /proc/sys/kernel/random/boot_id');
      return now.code === 0 && now.stdout !== before.stdout;
    });
  }

  /** The supply is cut: QEMU is killed, what was not written is lost. */
  async cutPower(): Promise<void> {
    const qemu = this.#qemu;
    this.#qemu = undefined;
    if (qemu === undefined || qemu.exitCode !== null || qemu.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      qemu.once('close', () => resolve());
      qemu.kill('SIGKILL');
    });
  }

  get #key(): string {
    return join(this.folder, 'key');
  }

  get #consoleFile(): string {
    return join(this.folder, 'console.log');
  }

  #arguments(): string[] {
    const {
      memory = 1024,
      kernelWords = [],
      qemuArguments = [],
      network = true,
      hasOwnTime = false,
    } = this.#options;
    const words = [
      readFileSync(this.#image.commandLine, 'utf8').trim(),
      'console=ttyS0 systemd.wants=t.service',
      // With page tables of its own the kernel empties QEMU's translations at each system call: the machine is several times slower.
      'kpti=off',
      ...kernelWords,
    ].join(' ');
    const { operator, root } = this.#ports;
    const forwarded = `hostfwd=tcp:127.0.0.1:${operator}-:22,hostfwd=tcp:127.0.0.1:${root}-:${ROOT_SSH_PORT}`;
    const credential = (name: string, file: string) => [
      '-fw_cfg',
      `name=opt/io.systemd.credentials/${name},file=${file}`,
    ];
    return [
      ...['-M', 'virt', '-cpu', 'cortex-a72', '-accel', 'tcg', '-m', String(memory)],
      ...(hasOwnTime ? ['-smp', '1', '-icount', 'shift=0,sleep=on', '-rtc', 'clock=vm'] : ['-smp', '2']),
      ...['-nodefaults', '-display', 'none'],
      ...['-kernel', this.#image.kernel, '-initrd', this.#image.initialRamDisk, '-append', words],
      ...['-drive', `file=${this.disk},if=virtio,format=qcow2,cache=writethrough`],
      // The UART of the product, and the console beside it.
      ...['-chardev', `socket,id=uart0,path=${join(this.folder, 'uart.sock')},server=on,wait=off`],
      ...['-serial', 'chardev:uart0'],
      ...['-chardev', `file,id=console,path=${this.#consoleFile}`, '-device', 'pci-serial,chardev=console'],
      ...['-device', 'qemu-xhci,id=xhci,p2=8,p3=8'],
      ...['-qmp', `unix:${join(this.folder, 'qmp.sock')},server=on,wait=off`],
      ...(network
        ? ['-netdev', `user,id=net0,${forwarded}`, '-device', 'virtio-net-pci,netdev=net0,romfile=']
        : []),
      ...credential('systemd.extra-unit.t.service', join(this.folder, 'root-ssh.service')),
      ...credential('test.key', `${this.#key}.pub`),
      ...qemuArguments,
    ];
  }

  #ssh(account: string, port: number, command: string): Promise<Ended> {
    const options = [
      ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'],
      ...['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=300', '-o', 'IdentitiesOnly=yes', '-i', this.#key],
    ];
    const ssh = spawn('ssh', [...options, '-p', String(port), `${account}@127.0.0.1`, command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Promise((resolve) => {
      let [stdout, stderr] = ['', ''];
      ssh.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      ssh.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      ssh.once('error', (cause) => resolve({ code: null, stdout, stderr: cause.message }));
      ssh.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  }
}

/** A copy of the image with another rig.txt, as a person writes it who has the card in a PC. */
function cardWith(rigText: string, disk: string, folder: string): string {
  const [card, file] = [join(folder, 'card.img'), join(folder, 'rig.txt')];
  execFileSync('cp', ['--sparse=always', disk, card]);
  writeFileSync(file, rigText);
  const firmware = `${card}@@${layout.firmware.startBytes}`;
  execFileSync('mcopy', ['-D', 'o', '-o', '-i', firmware, file, '::rig.txt'], {
    env: { ...process.env, MTOOLS_SKIP_CHECK: '1' },
  });
  return card;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
