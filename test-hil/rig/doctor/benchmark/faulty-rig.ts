import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../../src/lib/clock/clock.ts';
import { HostTree } from '../../../../src/test-kit/transports/host-tree.ts';
import { end, type Program } from '../../bench/program.ts';
import { GuardedRig, type Service } from '../../guard/guarded-rig.ts';
import { Adapter } from '../adapter.ts';
import { type Json, onlyDocument } from '../doctor-rig.ts';

const POLL_MS = 50;
/** A fault that shows no effect by then has none. */
const EFFECT_LIMIT_MS = 30_000;
/** The machine, below the root of its files; its processes are those of this one. */
const MACHINE: Readonly<Record<string, string>> = {
  'etc/group': `root:x:0:\ndialout:x:${process.getgid?.() ?? 0}:\n`,
  'etc/fstab': 'PARTUUID=1-02 / ext4 defaults,noatime 0 1\n',
  'run/systemd/timesync/synchronized': '',
  'dev/kmsg': '6,1,4900000000,-;usb 1-1: new full-speed USB device number 5\n',
  'proc/cmdline': 'root=PARTUUID=1-02 rw quiet\n',
  'proc/mounts': '/dev/root / ext4 rw,noatime 0 0\n',
  'proc/uptime': '5000.00 9000.00\n',
  'proc/device-tree/model': 'Raspberry Pi 4 Model B Rev 1.5\0',
};

export interface Finding {
  code: string;
  severity: string;
  message: string;
  caused_by: string | null;
}

export interface Examination {
  issues: readonly Finding[];
  tookMs: number;
}

/**
 * Twins, bridge and guard as processes, on a machine whose files below /sys, /dev and /etc and part of /proc are a tree of its own.
 * There the adapter of the valves is /dev/ttyUSB0, which leads to the pseudo-terminal of the twin.
 */
export class FaultyRig {
  readonly rig: GuardedRig;
  /** Added to the environment of svcctl doctor. */
  env: Record<string, string> = {};
  bridge: Service;
  #guard: Program;
  #tree = new HostTree();
  readonly #yaml: string;
  readonly #adapters: Adapter[] = [];
  readonly #children: ChildProcess[] = [];

  /** @param yaml text of svc.yaml, made from the folder of the twins */
  static async open(yaml: (twins: string) => string): Promise<FaultyRig> {
    const rig = await GuardedRig.open(yaml);
    const bridge = await rig.settledBridge();
    const guard = await rig.guardOf(bridge);
    return new FaultyRig(rig, yaml(join(rig.folder, 'bench')), bridge, guard);
  }

  private constructor(rig: GuardedRig, yaml: string, bridge: Service, guard: Program) {
    this.rig = rig;
    this.bridge = bridge;
    this.#guard = guard;
    this.#yaml = yaml;
    this.#layTree();
  }

  get guard(): Program {
    return this.#guard;
  }

  /** Text of svc.yaml without a fault. */
  get yaml(): string {
    return this.#yaml;
  }

  /** Folder of the valves' USB adapter, below the root of the machine. */
  get usb(): string {
    return 'sys/bus/usb/devices/1-1';
  }

  get tree(): HostTree {
    return this.#tree;
  }

  /** Writes a file of the machine. */
  write(path: string, text: string): void {
    this.#tree.write(join(this.#tree.root, path), text);
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(join(this.#tree.root, path)), { recursive: true });
    symlinkSync(target, join(this.#tree.root, path));
  }

  remove(path: string): void {
    rmSync(join(this.#tree.root, path), { recursive: true, force: true });
  }

  /** A second USB adapter, with a valve board of the usual settings behind it. */
  async plugSecond(serial?: string): Promise<void> {
    const adapter = await Adapter.plug();
    this.#adapters.push(adapter);
    this.#plugPort('1-2', 'ttyUSB1', adapter.path, serial);
  }

  /** Ends with the fault. */
  adopt(child: ChildProcess): void {
    this.#children.push(child);
  }

  /** svcctl doctor as it is built. */
  async examine(): Promise<Examination> {
    this.#linkProcesses();
    const startedAt = performance.now();
    const args = ['doctor', '--json', '--firmware-url', this.bridge.url];
    const ended = await this.rig.svcctl(args, { SVC_HOST_ROOT: this.#tree.root, ...this.env }).ended;
    const tookMs = performance.now() - startedAt;
    return { issues: onlyDocument(ended).issues as Finding[], tookMs };
  }

  /** Until a person has findings to read, ms: all of them, or the first ones while a silent line is swept. */
  async untilFindings(): Promise<number> {
    const startedAt = performance.now();
    const args = ['doctor', '--firmware-url', this.bridge.url];
    const program = this.rig.svcctl(args, { SVC_HOST_ROOT: this.#tree.root, ...this.env });
    let firstAt: number | undefined;
    let said = '';
    program.child.stderr?.on('data', (chunk) => {
      said += String(chunk);
      if (firstAt !== undefined || !said.includes('All findings:')) return;
      firstAt = performance.now();
      program.child.kill('SIGINT');
    });
    await program.ended;
    return (firstAt ?? performance.now()) - startedAt;
  }

  /** Polls an answer of the bridge until it satisfies `isWanted`. @throws Error when it does not in 30 s */
  async untilBridge(path: string, isWanted: (body: Json) => boolean): Promise<void> {
    const endsAt = performance.now() + EFFECT_LIMIT_MS;
    for (;;) {
      const body = (await (await fetch(this.bridge.url + path)).json()) as Json;
      if (isWanted(body)) return;
      if (performance.now() > endsAt) throw new Error(`GET ${path}: ${JSON.stringify(body)}`);
      await systemClock.sleep(POLL_MS);
    }
  }

  /** The bridge again, with another configuration or environment; the guard finds it by itself. */
  async restartBridge(
    yaml: string,
    env: Record<string, string> = {},
    isReady: (health: Json) => boolean = isWatchedAndDone,
  ): Promise<void> {
    await end(this.bridge, 'SIGKILL');
    this.rig.configure(yaml);
    this.bridge = await this.rig.bridge(env);
    await this.untilBridge('/health', isReady);
  }

  /** Everything as it was before any fault. */
  async renew(): Promise<void> {
    for (const child of this.#children.splice(0)) child.kill('SIGKILL');
    await this.rig.cutPower();
    await end(this.#guard, 'SIGKILL');
    await end(this.bridge, 'SIGKILL');
    for (const adapter of this.#adapters.splice(0)) await adapter.unplug();
    this.env = {};
    this.#tree.remove();
    this.#tree = new HostTree();
    this.#layTree();
    this.rig.configure(this.#yaml);
    this.rig.forget();
    this.bridge = await this.rig.settledBridge();
    this.#guard = await this.rig.guardOf(this.bridge);
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await this.rig.close();
    for (const adapter of this.#adapters) await adapter.unplug();
    this.#tree.remove();
  }

  #layTree(): void {
    for (const [path, text] of Object.entries(MACHINE)) this.write(path, text);
    // Configuration and twins are at their own places, as on a rig.
    this.link(this.rig.folder, this.rig.folder);
    this.link('dev/pts', '/dev/pts');
    this.#plugPort('1-1', 'ttyUSB0', this.rig.twin('modbus-io'), 'A1');
  }

  #plugPort(name: string, tty: string, target: string, serial?: string): void {
    const deviceNumber = 4 + Number(name.slice(2));
    const usb = this.#tree.plugUsb({
      name,
      vid: '0403',
      pid: '6001',
      deviceNumber,
      ...(serial ? { serial } : {}),
    });
    this.#tree.plugTty(tty, join(usb, `${name}:1.0`, tty));
    this.link(`dev/${tty}`, target);
    chmodSync(target, 0o660);
  }

  /** The processes of this machine, as they are now. */
  #linkProcesses(): void {
    const proc = join(this.#tree.root, 'proc');
    const isOurs = (name: string) => /^(\d{1,6}|self|locks)$/.test(name);
    for (const name of readdirSync(proc).filter(isOurs)) rmSync(join(proc, name));
    for (const name of readdirSync('/proc').filter(isOurs))
      symlinkSync(join('/proc', name), join(proc, name));
  }
}

/** The guard watches, and the first safe state is over. */
/** The guard, which makes safe what a killed bridge left, has let go of every device. */
function isWatchedAndDone({ guard, safe_state, not_safe }: Json): boolean {
  const isDone = (safe_state as Json).running === false && !/held by svc-guard/.test(String(not_safe));
  return isDone && (guard as Json).watching === true;
}

export const componentOf = ({ components }: Json, id: string): Json =>
  (components as Record<string, Json> | undefined)?.[id] ?? {};
