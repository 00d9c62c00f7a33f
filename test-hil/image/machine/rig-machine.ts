import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { benchConfig } from '../../../src/cli/start/bench-config.ts';
import type { Clock } from '../../../src/lib/clock/clock.ts';
import { RIG_PORTS } from '../../../src/rig/profiles/rig-services.ts';
import { HilRig } from '../../hil/hil-rig.ts';
import type { Ended } from '../../hil/ssh.ts';
import { type BootOptions, ImageMachine } from './image-machine.ts';
import { MachineBench } from './machine-bench.ts';
import { Qmp } from './qmp.ts';

/** Devices of the machine's USB bus. */
const USB_TWINS = ['usbhid', 'tic', 'modbus-io', 'pump', 'ads1115'] as const;
export type UsbTwin = (typeof USB_TWINS)[number];

const BY_ID = '/dev/serial/by-id/usb-wch.cn_USB_Single_Serial';
/** What a person enters on a new rig. The sensors' I2C adapter is the first of this machine. */
const SETTINGS = `SVC_PUMP_SERIAL_PORT=${BY_ID}_PUMP-if00
SVC_I2C_BUS=0
SVC_GUARD_REHEARSE=0
`;
const CONNECTED = ['valves', 'pump', 'lung', 'sensors', 'mask'] as const;
const SNAPSHOT = 'booted';
const OWN_UNITS = ['svc-rig', 'svc-guard', 'svc-guard-partner', 'svc-safe-boot'];
/** Words for the kernel: systemd starts no service of the rig. */
export const WITHOUT_SERVICES = OWN_UNITS.map((unit) => `systemd.mask=${unit}.service`);
/** systemd reads its units anew, without such words. */
const UNMASK = [
  "sed 's/systemd.mask=[^ ]*//g' /proc/cmdline >/run/cmdline",
  'mount --bind /run/cmdline /proc/cmdline',
  'systemctl daemon-reload',
].join(' && ');
/** What a machine that was stopped is made of. */
const KEPT = ['disk.qcow2', 'key', 'key.pub'];

/** `svc.yaml` of a rig whose devices are on USB, with the calibrations that the shipped scenarios are judged by. */
function rigYaml(): string {
  const ports = Object.fromEntries(Object.entries(RIG_PORTS).map(([name, [port]]) => [name, port]));
  const config = benchConfig('/twins', ports as Parameters<typeof benchConfig>[1]);
  return `require_real: true\n${config.replace('/twins/modbus-io', `${BY_ID}_VALVES-if00`)}`;
}

/**
 * The image in QEMU, with the twins of svc-bench as its devices: MCP2221A, Tic and adapters of valves, pump and converter on USB,
 * the UART module on the UART. The twins run outside and outlive the machine, as devices outlive a computer.
 */
export class RigMachine {
  readonly machine: ImageMachine;
  readonly bench: MachineBench;
  readonly rig: HilRig;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #plugged = new Set<UsbTwin>();
  #qmp: Qmp | undefined;

  /** @param folder that is created for this machine @param from a folder of {@link keep}: the machine goes on from there */
  static async create(folder: string, clock: Clock, from?: string): Promise<RigMachine> {
    const bench = await MachineBench.start(clock);
    const machine = new ImageMachine(folder, { clock });
    if (from !== undefined)
      for (const name of KEPT) execFileSync('cp', ['--sparse=always', join(from, name), join(folder, name)]);
    return new RigMachine(folder, clock, machine, bench);
  }

  private constructor(folder: string, clock: Clock, machine: ImageMachine, bench: MachineBench) {
    this.#folder = folder;
    this.#clock = clock;
    this.machine = machine;
    this.bench = bench;
    this.rig = new HilRig(
      {
        rig: { host: '127.0.0.1', port: 0, user: 'operator', key: join(folder, 'key') },
        connected: [...CONNECTED],
        twins: bench.url,
      },
      (command, input) => machine.runConnected('operator', command, input),
    );
  }

  /** Power on, with all devices plugged in. Resolves when root's shell answers. */
  async powerOn(options: BootOptions = {}): Promise<void> {
    await this.#start(options);
  }

  /** Goes on from where the machine was kept, now, with all devices plugged in. */
  async resume(): Promise<void> {
    await this.#start({ qemuArguments: ['-loadvm', SNAPSHOT] });
    await this.ok(`date -s @${Math.floor(this.#clock.now() / 1000)}`);
  }

  async #start(options: BootOptions): Promise<void> {
    const answers = this.machine.boot(options);
    answers.catch(() => {});
    await this.machine.until('QEMU listens', async () => existsSync(join(this.#folder, 'qmp.sock')));
    this.#qmp = await Qmp.open(join(this.#folder, 'qmp.sock'));
    this.bench.clock.follow(this.#qmp);
    this.#wireUart();
    await this.plug();
    await answers;
  }

  get qmp(): Qmp {
    if (!this.#qmp) throw new Error('the machine is off');
    return this.#qmp;
  }

  async plug(...twins: UsbTwin[]): Promise<void> {
    for (const twin of twins.length > 0 ? twins : USB_TWINS) {
      const data = { addr: { type: 'unix', data: { path: this.bench.socketOf(twin) } }, server: false };
      const backend = { type: 'socket', data: { ...data, reconnect: 1 } };
      await this.qmp.ask('chardev-add', { id: twin, backend });
      await this.qmp.ask('device_add', {
        driver: 'usb-redir',
        id: `usb-${twin}`,
        chardev: twin,
        bus: 'xhci.0',
      });
      this.#plugged.add(twin);
    }
  }

  /** All of them; the devices are there no longer for QEMU either, so that a snapshot can be taken. */
  async unplug(): Promise<void> {
    for (const twin of this.#plugged) {
      await this.qmp.ask('device_del', { id: `usb-${twin}` });
      // The guest has to let it go first. QEMU's model of the device removes its chardev itself.
      await this.machine.until(`${twin} is let go`, () => this.#isRemoved(twin));
      this.#plugged.delete(twin);
    }
  }

  #isRemoved(twin: UsbTwin): Promise<boolean> {
    return this.qmp.ask('chardev-remove', { id: twin }).then(
      () => true,
      (fault: Error) => {
        if (/busy/i.test(fault.message)) return false;
        if (/not found/i.test(fault.message)) return true;
        throw fault;
      },
    );
  }

  /** In the machine, as root. @returns standard output @throws Error when it fails */
  async ok(command: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(command);
    if (code !== 0) throw new Error(`${command}: ${code}, ${stdout}${stderr}`);
    return stdout;
  }

  run(command: string): Promise<Ended> {
    return this.machine.run(command);
  }

  /** Enters the devices as a person does on a new rig that was started {@link WITHOUT_SERVICES}, and starts the services. */
  async configure(): Promise<void> {
    const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
    await this.ok(`cat > /etc/svc/svc.yaml <<'END'\n${rigYaml()}END`);
    await this.ok(`printf %s ${quoted(SETTINGS)} >> /etc/svc/rig.env`);
    await this.ok('echo stack > /etc/svc/profile && chown rig:rig /etc/svc/profile');
    await this.ok(`${UNMASK} && systemctl start --no-block svc-rig`);
    await this.machine.admitOperator();
  }

  /** Stops the machine and keeps it as it is, to go on from there any number of times. @param to folder that is made anew */
  async keep(to: string): Promise<void> {
    await this.unplug();
    // QEMU forgets the slots of absent devices with the snapshot: what the kernel has not given up by then it waits for for ever.
    await this.ok(
      'while ls /sys/bus/usb/devices | grep -qv -e ^usb -e -0:; do sleep 0.5; done; sleep 1; sync',
    );
    const said = await this.qmp.monitor(`savevm ${SNAPSHOT}`);
    if (said !== '') throw new Error(`savevm: ${said}`);
    await this.qmp.ask('stop');
    await this.machine.cutPower();
    const aside = `${to}.${process.pid}`;
    rmSync(aside, { recursive: true, force: true });
    mkdirSync(aside, { recursive: true });
    for (const name of KEPT) copyFileSync(join(this.#folder, name), join(aside, name));
    rmSync(to, { recursive: true, force: true });
    renameSync(aside, to);
  }

  /** QEMU is killed: nothing in the machine can do anything about it. The twins go on. */
  async cutPower(): Promise<void> {
    this.bench.clock.release();
    this.#qmp?.close();
    this.#qmp = undefined;
    this.#plugged.clear();
    await this.machine.cutPower();
    rmSync(join(this.#folder, 'qmp.sock'), { force: true });
    rmSync(join(this.#folder, 'uart.sock'), { force: true });
  }

  async end(): Promise<void> {
    await this.cutPower();
    await this.bench.end();
    if (existsSync(this.#folder)) rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Connects the machine's UART with the twin's line: QEMU waits for a client as the twin does. */
  #wireUart(): void {
    const [machine, twin] = [connect(join(this.#folder, 'uart.sock')), connect(this.bench.socketOf('uart'))];
    for (const [from, to] of [
      [machine, twin],
      [twin, machine],
    ] as const) {
      from.on('error', () => {});
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  }

  /** For the HIL suite as a process of its own: its file of the rig. */
  benchFile(): string {
    const path = join(this.#folder, 'bench.yaml');
    const rig = { host: '127.0.0.1', port: this.machine.ports.operator, key: join(this.#folder, 'key') };
    // JSON is YAML.
    writeFileSync(path, JSON.stringify({ rig, connected: CONNECTED, twins: this.bench.url }));
    return path;
  }
}
