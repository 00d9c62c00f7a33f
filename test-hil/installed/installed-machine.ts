import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { isAlive, type ProcessId, procEntries, processIdOf, readProc } from '../../src/lib/proc.ts';
import { end, launchReady, type Program } from '../rig/bench/program.ts';

const POLL_MS = 50;
/** Twins with a serial line, and those with a socket. */
const LINES = ['modbus-io', 'pump', 'uart'] as const;
/** Of the account rig in the machine: pseudo-terminals belong to it. */
const ANY_ACCOUNT = 0o666;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * A Debian machine as a container of systemd-nspawn with a network of its own, in which the rig is installed. The twins run
 * outside and outlive it, as devices outlive a computer that loses its power.
 */
export class InstalledMachine {
  /** Its root file system, as this machine sees it. */
  readonly root: string;
  readonly #twins: string;
  readonly #bench: Program & { url: string };
  #container: ChildProcess | undefined;
  #leader: ProcessId | undefined;
  #console = '';

  /**
   * @param tar of the Debian root file system
   * @param archive folder of `npm run image:rootfs`
   * @param folder that is created for this machine
   */
  static async create(tar: string, archive: string, folder: string): Promise<InstalledMachine> {
    const root = join(folder, 'root');
    mkdirSync(root, { recursive: true });
    execFileSync('tar', ['-xf', tar, '-C', root]);
    execFileSync('cp', ['-a', archive, join(root, 'root/rig')]);
    const twins = join(folder, 'twins');
    const bench = await launchReady('svc-bench', ['--dir', twins, '--port', '0']);
    // The container maps neither accounts nor groups; its accounts have to reach folder, sockets and lines.
    chmodSync(folder, 0o755);
    execFileSync('chmod', ['-R', 'a+rwX', twins]);
    for (const line of LINES) chmodSync(realpathSync(join(twins, line)), ANY_ACCOUNT);
    return new InstalledMachine(root, twins, bench);
  }

  private constructor(root: string, twins: string, bench: Program & { url: string }) {
    this.root = root;
    this.#twins = twins;
    this.#bench = bench;
  }

  /** Runs a command in the file system while the machine is off. */
  offline(command: string): Promise<Ended> {
    const place = ['-q', '--register=no', '--keep-unit', '--private-network', '-D', this.root, '--pipe'];
    return finished(
      spawn('systemd-nspawn', [...place, 'sh', '-c', command], { stdio: ['ignore', 'pipe', 'pipe'] }),
    );
  }

  /** Resolves when systemd has started all that it starts at boot, whatever came of it. */
  async boot(): Promise<void> {
    const lines = LINES.map((line) => `--bind=${realpathSync(join(this.#twins, line))}:/dev/twin-${line}`);
    const place = ['-q', '--register=no', '--keep-unit', '--private-network', '-D', this.root];
    const args = [...place, `--bind=${this.#twins}:/opt/twins`, ...lines, '--boot'];
    const container = spawn('systemd-nspawn', args, { stdio: ['ignore', 'pipe', 'pipe'], env: UNIFIED });
    this.#container = container;
    this.#console = '';
    for (const stream of [container.stdout, container.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#console = (this.#console + text).slice(-10_000);
      });
    while (this.#leader === undefined) {
      if (container.exitCode !== null) throw new Error(`the machine did not start: ${this.#console}`);
      const [child] = childrenOf(container.pid ?? 0);
      // Before it is the first of its own process ids, nspawn's helper has its place.
      if (child !== undefined && isFirstOfNamespace(child)) this.#leader = processIdOf(child);
      else await systemClock.sleep(POLL_MS);
    }
    for (;;) {
      const { stdout } = await this.run('systemctl is-system-running');
      if (/running|degraded/.test(stdout)) return;
      await systemClock.sleep(POLL_MS);
    }
  }

  /** In the machine, as root. */
  run(command: string): Promise<Ended> {
    const pid = String(this.#leader?.pid ?? 0);
    const into = ['-t', pid, '-m', '-u', '-i', '-n', '-p', '-C', '--', '/bin/sh', '-c', command];
    return finished(spawn('nsenter', into, { stdio: ['ignore', 'pipe', 'pipe'], env: MACHINE_ENVIRONMENT }));
  }

  /** In the machine, as an account that has logged in. */
  runAs(account: string, command: string): Promise<Ended> {
    return this.run(`exec runuser -l ${account} -c ${quoted(command)}`);
  }

  /** Of a unit's main process, in the machine. */
  async mainPid(unit: string): Promise<number> {
    return Number((await this.run(`systemctl show -P MainPID ${unit}`)).stdout);
  }

  /** Pids in the machine of processes whose command line ends with the words. */
  async pidsOf(words: string): Promise<number[]> {
    const { stdout } = await this.run(`pgrep -f ${quoted(`${words}$`)}`);
    return stdout.split('\n').filter(Boolean).map(Number);
  }

  /** What is on at the twins: empty when nothing moves and no valve is open. */
  async outputsOn(): Promise<string[]> {
    const answer = await fetch(`${this.#bench.url}/bench/v1/outputs`);
    const { coils, pump, lung } = (await answer.json()) as {
      coils: boolean[];
      pump: { fraction: number };
      lung: { velocity: number };
    };
    return [
      ...coils.flatMap((isOn, coil) => (isOn ? [`coil ${coil}`] : [])),
      ...(pump.fraction > 0 ? ['pump'] : []),
      ...(lung.velocity !== 0 ? ['lung'] : []),
    ];
  }

  /** As a loss of power: nothing in the machine can do anything about it. The twins go on. */
  async cutPower(): Promise<void> {
    const leader = this.#leader;
    if (leader && isAlive(leader)) process.kill(leader.pid, 'SIGKILL');
    const container = this.#container;
    while (container && container.exitCode === null && container.signalCode === null) {
      if (!leader || !isAlive(leader)) container.kill('SIGTERM');
      await systemClock.sleep(POLL_MS);
    }
    this.#leader = undefined;
    this.#container = undefined;
  }

  async remove(): Promise<void> {
    await this.cutPower();
    await end(this.#bench);
    await rm(this.root, { recursive: true, force: true });
  }
}

/**
 * One hierarchy of control groups, as Debian has it, whatever this machine has: with the older ones systemd in a container does not
 * notice that a unit has no process left.
 */
const UNIFIED = { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1', UNIFIED_CGROUP_HIERARCHY: '1' };

const MACHINE_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const childrenOf = (pid: number): number[] =>
  procEntries(`/proc/${pid}/task`).flatMap((task) =>
    existsSync(`/proc/${pid}/task/${task}/children`)
      ? readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
      : [],
  );

const isFirstOfNamespace = (pid: number): boolean =>
  /^NSpid:\s+\d+\s+1$/m.test(readProc(`/proc/${pid}/status`)) &&
  /^(systemd|init)$/.test(readProc(`/proc/${pid}/comm`).trim());

function finished(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...texts }));
  });
}
