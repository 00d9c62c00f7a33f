import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { HostTree } from '../../../src/test-kit/transports/host-tree.ts';
import { type Ended, launch } from '../bench/program.ts';
import { Adapter, type Line } from './adapter.ts';

export type Json = Record<string, unknown>;
type Board = NonNullable<Parameters<typeof Adapter.plug>[0]>;

/** Nothing listens there. */
const NO_BRIDGE = 'http://127.0.0.1:9';

/** A machine of fixtures whose serial ports are pseudo-terminals, and the built commands on it. */
export class DoctorRig {
  readonly host = new HostTree();
  readonly folder = temporaryFolder('doctor-');
  readonly config = join(this.folder, 'svc.yaml');
  readonly env: Record<string, string> = {
    SVC_HOST_ROOT: this.host.root,
    SVC_CONFIG_PATH: this.config,
    SVC_STATE_DIR: join(this.folder, 'state'),
    RIG_RUNTIME_DIR: join(this.folder, 'run'),
    SVC_FIRMWARE_URL: NO_BRIDGE,
  };
  readonly adapters: Adapter[] = [];

  constructor() {
    mkdirSync(join(this.folder, 'state'));
    symlinkSync('/proc', join(this.host.root, 'proc'));
    this.configure();
  }

  /** `svc.yaml` with the valve board on a port. */
  configure(params = '{serial_port: /dev/ttyUSB0, baudrate: 19200, parity: N, device_id: 1}'): void {
    writeFileSync(
      this.config,
      `plugins:\n  modbus-io:\n    connection_type: modbus-rtu\n    connection_params: ${params}\n`,
    );
  }

  /** Plugs a USB adapter in as `/dev/<tty>`; `line` takes the place of the valve board. */
  async plug(tty: string, board: Board = {}, line?: Line): Promise<Adapter> {
    const adapter = await Adapter.plug(board, line);
    this.adapters.push(adapter);
    const number = this.adapters.length;
    const name = `1-${number}`;
    const folder = this.host.plugUsb({
      name,
      vid: '0403',
      pid: '6001',
      deviceNumber: number + 3,
      serial: `A${number}`,
    });
    this.host.plugTty(tty, join(folder, `${name}:1.0`, tty));
    symlinkSync(adapter.path, join(this.host.roots.dev, tty));
    this.host.link(
      join(this.host.roots.dev, `serial/by-id/usb-FTDI_A${number}-if00-port0`),
      join(this.host.roots.dev, tty),
    );
    return adapter;
  }

  run(name: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    return launch(name, args, { ...this.env, ...env }).ended;
  }

  svcctl(...args: string[]): Promise<Ended> {
    return this.run('svcctl', args);
  }

  async json(...args: string[]): Promise<Json> {
    return onlyDocument(await this.svcctl(...args, '--json'));
  }

  async close(): Promise<void> {
    for (const adapter of this.adapters) await adapter.unplug();
    this.host.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A program that has a port open. It keeps nothing that it has inherited, the master of a pseudo-terminal least of all. */
export async function hold(path: string) {
  const script = `for fd in /proc/$$/fd/*; do n=\${fd##*/}; [ "$n" -gt 2 ] && eval "exec $n>&-"; done; exec 3<>${path}; echo open; sleep 60`;
  const child = spawn('bash', ['-c', script]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

/** The one JSON document on stdout. */
export function onlyDocument({ stdout, stderr }: Ended): Json {
  const lines = stdout.split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one JSON document: ${stdout}${stderr}`);
  return JSON.parse(lines[0] ?? '') as Json;
}

/** Runs `work` on a machine of its own. */
export async function onDoctorRig(work: (rig: DoctorRig) => Promise<void>): Promise<void> {
  const rig = new DoctorRig();
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}
