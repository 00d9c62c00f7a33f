import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOutputs } from '../../../src/bench/bench-state.ts';
import { adcProcesses, askLocks } from '../../../src/cli/profile/observe.ts';
import { profilePath, readProfile } from '../../../src/cli/profile/rig-files.ts';
import { benchConfig, benchDevices } from '../../../src/cli/start/bench-config.ts';
import { createParts } from '../../../src/cli/start/folder-content.ts';
import { installation } from '../../../src/cli/start/installation.ts';
import { endOwnProcesses, ownProcesses } from '../../../src/cli/start/own-processes.ts';
import type { ProgramEnd } from '../../../src/cli/start/run-program.ts';
import { type RuntimeFolder, runtimeFolder } from '../../../src/cli/start/runtime-folder.ts';
import { supervisorEnvironment } from '../../../src/cli/start/service-environment.ts';
import { type SupervisedApp, Supervisor } from '../../../src/cli/start/supervisor.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { readProc } from '../../../src/lib/proc.ts';
import type { ServiceProcess } from '../../../src/rig/profiles/plan.ts';
import { type AdcService, type Profile, servicesOf } from '../../../src/rig/profiles/profile.ts';
import { isUp } from '../../../src/rig/profiles/profile-status.ts';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { end, launch, launchReady, type Program, root } from '../bench/program.ts';

const POLL_MS = 20;

/** A rig of its own: twins, a folder, a PM2, and the ADC services that `svcctl profile` puts under it. */
export class ProfileRig {
  readonly path: string;
  readonly folder: RuntimeFolder;
  readonly benchUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly #bench: Program;
  readonly #supervisor: Supervisor;

  static async open(): Promise<ProfileRig> {
    const path = temporaryFolder('profile-');
    const only = ['--only', 'usbhid,uart'];
    const bench = await launchReady('svc-bench', ['--dir', join(path, 'bench'), '--port', '0', ...only]);
    return new ProfileRig(path, bench);
  }

  private constructor(path: string, bench: Program & { url: string }) {
    this.path = path;
    this.folder = runtimeFolder(root, path, root);
    this.#bench = bench;
    this.benchUrl = bench.url;
    this.settings = {
      ...benchDevices(this.folder.bench),
      SVC_ADC_STACK_PORT: '0',
      SVC_ADC_USB_PORT: '0',
      SVC_ADC_UART_PORT: '0',
      SVC_STATE_DIR: this.folder.state,
      SVC_CONFIG_PATH: this.folder.config,
    };
    createParts(this.folder);
    const lines = Object.entries(this.settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(this.folder.settings, lines.join(''));
    writeFileSync(this.folder.config, benchConfig(this.folder.bench));
    this.#supervisor = new Supervisor({
      installation: installation(join(root, 'src')),
      folder: this.folder,
      env: supervisorEnvironment(process.env, this.folder),
      clock: systemClock,
    });
  }

  svcctl(...args: string[]): Program {
    return launch('svcctl', args, { RIG_RUNTIME_DIR: this.path });
  }

  /** As a person starts it in a shell: no supervisor knows of it. */
  byHand(name: AdcService): Program {
    return launch(name, [], { ...this.settings, RIG_RUNTIME_DIR: this.path });
  }

  pm2(...command: string[]): Promise<ProgramEnd> {
    return this.#supervisor.run(command);
  }

  /** What PM2 says of its apps. */
  apps(): Promise<SupervisedApp[]> {
    return this.#supervisor.list();
  }

  get ecosystem(): string {
    return join(root, 'ecosystem.config.cjs');
  }

  /** The profile that its file names. */
  get profile(): Profile | undefined {
    return readProfile(profilePath(this.folder, this.settings));
  }

  processes(): ServiceProcess[] {
    return adcProcesses(this.folder);
  }

  /** Pids of PM2's daemon: one, or none. A child that it is just forking still looks like it. */
  daemons(): number[] {
    const pids = ownProcesses(this.folder, ['pm2']).map(({ pid }) => pid);
    return pids.filter((pid) => !pids.includes(parentOf(pid)));
  }

  locks() {
    return askLocks(this.settings, systemClock);
  }

  async outputs(): Promise<BenchOutputs> {
    return (await (await fetch(`${this.benchUrl}/bench/v1/outputs`)).json()) as BenchOutputs;
  }

  /** Why exactly the services of a profile are not up under PM2; undefined when they are. */
  async whyNot(profile: Profile): Promise<string | undefined> {
    const daemons = this.daemons();
    if (daemons.length !== 1) return `${daemons.length} PM2 daemons`;
    const processes = this.processes();
    const names = processes.map(({ name }) => name).sort();
    if (names.join() !== [...servicesOf(profile)].sort().join())
      return `runs: ${names.join(', ') || 'nothing'}`;
    const orphan = processes.find(({ pid }) => parentOf(pid) !== daemons[0]);
    if (orphan) return `${orphan.name} is not PM2's child`;
    const locks = await this.locks();
    if (!isUp(profile, locks)) return `locks: ${JSON.stringify(locks.map(({ holder }) => holder ?? null))}`;
    const { clients } = await this.outputs();
    return clients.usbhid === 1 ? undefined : `${clients.usbhid} clients at the HID twin`;
  }

  /** Waits until they are. @returns milliseconds it took. @throws with the reason after the limit */
  async untilUp(profile: Profile, limitMs: number): Promise<number> {
    const startedAt = systemClock.monotonic();
    for (;;) {
      const why = await this.whyNot(profile);
      const tookMs = systemClock.monotonic() - startedAt;
      if (why === undefined) return tookMs;
      if (tookMs > limitMs)
        throw new Error(`${profile} is not up after ${limitMs} ms: ${why}\n${this.logs()}`);
      await systemClock.sleep(POLL_MS);
    }
  }

  /** What systemd does when the main process of a unit has died: the rest of its control group is ended. */
  endControlGroup(): Promise<void> {
    const services = this.processes().flatMap(({ name, bornSupervised }) => (bornSupervised ? [name] : []));
    return endOwnProcesses(this.folder, systemClock, services);
  }

  logs(): string {
    return ['svc-adc-stack', 'svc-adc-usb', 'svc-adc-uart']
      .map((name) => {
        try {
          const lines = readFileSync(join(this.folder.logs, `${name}.err.log`), 'utf8')
            .trim()
            .split('\n');
          return lines.slice(-5).join('\n');
        } catch {
          return '';
        }
      })
      .filter((text) => text !== '')
      .join('\n');
  }

  async close(): Promise<void> {
    await endOwnProcesses(this.folder, systemClock);
    await end(this.#bench);
    rmSync(this.path, { recursive: true, force: true });
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readProc(`/proc/${pid}/status`))?.[1]);
}
