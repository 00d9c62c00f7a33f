import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { compiled } from '../../../src/lab/device-benchmarks/compiled-peer.ts';
import type { Clock } from '../../../src/lib/clock/clock.ts';
import { type Ended, SshSession, ssh } from '../../hil/ssh.ts';
import { type BuiltImage, builtImage } from './built-image.ts';
import { MachineSeconds } from './machine-seconds.ts';
import { MachineWatch } from './machine-watch.ts';
import { ROOT_SSH_PORT, rootSshUnit } from './root-ssh.ts';

/** Of the machine's time: a boot takes some 40. */
const BOOT_S = 300;
/** Of the machine's time: what one command may take. */
const COMMAND_S = 900;
const QEMU = 'qemu-system-aarch64';
const HELD_UP = 'test-hil/image/machine/held-up.c';
const CONSOLE_CHARACTERS = 4000;
const TICKS_A_SECOND = 100;
/** Mebibytes, of a Pi 3. */
const MEMORY = 1024;

/**
 * Of a test with a machine, by the host's clock: how long it takes says how busy the host is and nothing about the image. A machine
 * that hangs is found out by its own time.
 */
export const NO_LIMIT = { timeoutMs: 7 * 24 * 3_600_000 } as const;

/** Of one start of a machine. */
export interface BootOptions {
  /** Appended to QEMU's command line. */
  qemuArguments?: readonly string[];
  /** Appended to the kernel's, for example `systemd.mask=svc-rig.service`. */
  kernelWords?: readonly string[];
}

export interface MachineOptions {
  clock: Clock;
  image?: BuiltImage;
  /** Without it the machine has no network card. */
  network?: boolean;
}

/**
 * The image in QEMU's `virt` machine (aarch64, no KVM), on a copy that is thrown away: its own kernel, initial RAM disk and units.
 * Its time advances with the instructions that it executes (1 ns each, on one core) and with the host's clock while it waits, but not
 * while the host holds QEMU up: where the host is busy, neither its own time limits pass before it had the time to keep them, nor those of who waits for it. A shell
 * as root is let in by a unit that only this command line adds; nothing in the image is changed.
 */
export class ImageMachine {
  readonly folder: string;
  /** Written to by this machine only; a copy-on-write file over the image. */
  readonly disk: string;
  readonly #options: MachineOptions;
  readonly #image: BuiltImage;
  readonly #seconds: MachineSeconds;
  readonly #watch: MachineWatch;
  #qemu: ChildProcess | undefined;
  #said = '';
  #ports = { operator: 0, root: 0 };
  /** Of this boot, by account. */
  readonly #sessions = new Map<string, SshSession>();

  /** @param folder that is created and holds the disk, the console and the keys */
  constructor(folder: string, options: MachineOptions) {
    this.folder = folder;
    this.#options = options;
    this.#image = options.image ?? builtImage();
    mkdirSync(folder, { recursive: true });
    this.disk = join(folder, 'disk.qcow2');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', this.#key]);
    writeFileSync(join(folder, 'root-ssh.service'), rootSshUnit);
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', '-F', 'raw', '-b', this.#image.disk, this.disk]);
    this.#seconds = new MachineSeconds(this.#timeSocket);
    const watched = {
      readSeconds: () => this.#seconds.read(),
      ended: () => this.#ended(),
      lastWords: () => this.console.slice(-CONSOLE_CHARACTERS),
    };
    this.#watch = new MachineWatch(watched, options.clock);
  }

  /** Public key of the one who tests. */
  get publicKey(): string {
    return readFileSync(`${this.#key}.pub`, 'utf8').trim();
  }

  /** On 127.0.0.1 of this machine: the image's own SSH server, and root's. */
  get ports(): Readonly<{ operator: number; root: number }> {
    return this.#ports;
  }

  /** Of QEMU, while the machine is on. */
  get pid(): number | undefined {
    return this.#qemu?.pid;
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

  /** Starts the machine and resolves when root's shell answers. */
  async boot(options: BootOptions = {}): Promise<void> {
    this.#sessions.clear();
    this.#ports = { operator: await freePort(), root: await freePort() };
    writeFileSync(this.#consoleFile, '');
    this.#said = '';
    const qemu = spawn('setpriv', ['--pdeathsig', 'KILL', QEMU, ...this.#arguments(options)], {
      env: { ...process.env, LD_PRELOAD: compiled(HELD_UP, ['-shared', '-fPIC']) },
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
    const isCut = () => this.#qemu !== qemu;
    await this.until('root is let in', async () => isCut() || (await this.run('true')).code === 0);
    if (isCut()) throw new Error('the power was cut');
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

  /** @param limitS of the machine's time @throws MachineHangsError with the end of the console when it never comes */
  until(what: string, look: () => Promise<boolean>, limitS = BOOT_S): Promise<void> {
    return this.#watch.until(what, limitS, look);
  }

  /** @param limitS of the machine's time @throws MachineHangsError */
  within<Made>(what: string, limitS: number, work: (signal: AbortSignal) => Promise<Made>): Promise<Made> {
    return this.#watch.within(what, limitS, work);
  }

  /** Of its own time, from any origin. */
  async seconds(): Promise<number> {
    const seconds = await this.#seconds.read();
    if (seconds === undefined) throw new Error('the machine is off');
    return seconds;
  }

  /** A command line in the machine as root. */
  run(command: string): Promise<Ended> {
    return this.#connected('root', this.#ports.root, command);
  }

  /** A command line as somebody who logs in over the image's own SSH server. @param input for its standard input */
  runAs(account: string, command: string, input = ''): Promise<Ended> {
    const target = this.#target(account, this.#ports.operator);
    return this.within(command, COMMAND_S, (signal) => ssh(target, command, input, signal));
  }

  /** The same over a connection that stays open. */
  runConnected(account: string, command: string, input = ''): Promise<Ended> {
    return this.#connected(account, this.#ports.operator, command, input);
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
    this.#seconds.close();
    for (const session of this.#sessions.values()) session.close();
    this.#sessions.clear();
    if (qemu === undefined || qemu.exitCode !== null || qemu.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      qemu.once('close', () => resolve());
      qemu.kill('SIGKILL');
    });
  }

  get #key(): string {
    return join(this.folder, 'key');
  }

  get #timeSocket(): string {
    return join(this.folder, 'time.sock');
  }

  /** Why there will be nothing more of this boot; a power that was cut is no fault. */
  #ended(): string | undefined {
    const qemu = this.#qemu;
    if (qemu === undefined || (qemu.exitCode === null && qemu.signalCode === null)) return undefined;
    return `QEMU has ended (${qemu.exitCode ?? qemu.signalCode}) ${this.#said}`;
  }

  get #consoleFile(): string {
    return join(this.folder, 'console.log');
  }

  #arguments({ kernelWords = [], qemuArguments = [] }: BootOptions): string[] {
    const { network = true } = this.#options;
    const words = [
      readFileSync(this.#image.commandLine, 'utf8').trim(),
      'console=ttyS0 systemd.wants=t.service',
      // With page tables of its own the kernel empties QEMU's translations at each system call: the machine is several times slower.
      'kpti=off',
      // QEMU translates a program anew for each address at which it lies, keeps it all with the page of memory, and walks through it
      // at each write once that page has another use: with random addresses some boots did not end.
      'norandmaps',
      ...kernelWords,
    ].join(' ');
    const { operator, root } = this.#ports;
    const forwarded = `hostfwd=tcp:127.0.0.1:${operator}-:22,hostfwd=tcp:127.0.0.1:${root}-:${ROOT_SSH_PORT}`;
    const credential = (name: string, file: string) => [
      '-fw_cfg',
      `name=opt/io.systemd.credentials/${name},file=${file}`,
    ];
    return [
      ...['-M', 'virt', '-cpu', 'cortex-a72', '-accel', 'tcg', '-m', String(MEMORY)],
      ...['-smp', '1', '-icount', 'shift=0,sleep=on', '-rtc', 'clock=vm'],
      ...['-nodefaults', '-display', 'none'],
      ...['-kernel', this.#image.kernel, '-initrd', this.#image.initialRamDisk, '-append', words],
      ...['-drive', `file=${this.disk},if=virtio,format=qcow2,cache=writethrough`],
      // The UART of the product, and the console beside it.
      ...['-chardev', `socket,id=uart0,path=${join(this.folder, 'uart.sock')},server=on,wait=off`],
      ...['-serial', 'chardev:uart0'],
      ...['-chardev', `file,id=console,path=${this.#consoleFile}`, '-device', 'pci-serial,chardev=console'],
      ...['-device', 'qemu-xhci,id=xhci,p2=8,p3=8'],
      ...['-qmp', `unix:${join(this.folder, 'qmp.sock')},server=on,wait=off`],
      ...['-qmp', `unix:${this.#timeSocket},server=on,wait=off`],
      ...(network
        ? ['-netdev', `user,id=net0,${forwarded}`, '-device', 'virtio-net-pci,netdev=net0,romfile=']
        : []),
      ...credential('systemd.extra-unit.t.service', join(this.folder, 'root-ssh.service')),
      ...credential('test.key', `${this.#key}.pub`),
      ...qemuArguments,
    ];
  }

  #connected(account: string, port: number, command: string, input?: string): Promise<Ended> {
    const socket = join(this.folder, `${account}.sock`);
    const session = this.#sessions.get(account) ?? new SshSession(this.#target(account, port), socket);
    this.#sessions.set(account, session);
    return this.within(command, COMMAND_S, (signal) => session.run(command, input, signal));
  }

  #target(user: string, port: number) {
    return { host: '127.0.0.1', port, user, key: this.#key };
  }
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
