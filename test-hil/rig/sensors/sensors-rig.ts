import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchDeviceName } from '../../../src/bench/bench.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { end, launch, launchReady, type Program } from '../bench/program.ts';

export type Service = Program & { url: string };
export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  body: Json;
}

const POLL_MS = 20;

/** The twins as one process, and built services on them, each on a free port, in a folder of their own. */
export class SensorsRig {
  readonly folder: string;
  readonly #bench: Service;
  readonly #programs: Program[] = [];
  #configs = 0;

  static async open(): Promise<SensorsRig> {
    const folder = temporaryFolder('sensors-rig-');
    return new SensorsRig(
      folder,
      await launchReady('svc-bench', ['--dir', join(folder, 'bench'), '--port', '0']),
    );
  }

  private constructor(folder: string, bench: Service) {
    this.folder = folder;
    this.#bench = bench;
  }

  get benchUrl(): string {
    return this.#bench.url;
  }

  /** Place of a twin below the bench's folder. */
  twin(name: string): string {
    return join(this.folder, 'bench', name);
  }

  get i2cBus(): string {
    return `bench:${this.twin('ads1115.sock')}`;
  }

  sensors(env: Readonly<Record<string, string>> = {}, args = ['--port', '0']): Promise<Service> {
    return this.#ready('svc-sensors', args, {
      SVC_HARDWARE_MODE: 'real',
      SVC_I2C_BUS: this.i2cBus,
      ...env,
    });
  }

  stack(env: Readonly<Record<string, string>> = {}): Promise<Service> {
    return this.#ready('svc-adc-stack', ['--port', '0'], {
      SVC_STATE_DIR: join(this.folder, 'state'),
      USBADC_ADDRESS: `bench:${this.twin('usbhid.sock')}`,
      UARTADC_SERIAL_PORT: this.twin('uart'),
      ...env,
    });
  }

  /** A bridge with the valves of the bench, and what `config` adds to `svc.yaml`; `plugins` go below that key. */
  bridge(plugins: string, config = '', env: Readonly<Record<string, string>> = {}): Promise<Service> {
    const path = join(this.folder, `svc-${++this.#configs}.yaml`);
    const valves = `modbus-io: { connection_type: modbus-rtu, connection_params: { serial_port: ${JSON.stringify(this.twin('modbus-io'))} } }`;
    writeFileSync(path, `plugins:\n  ${valves}\n${plugins.replace(/^(?=.)/gm, '  ')}\n${config}\n`);
    return this.#ready('svc-bridge', ['--port', '0'], {
      SVC_HARDWARE_MODE: 'real',
      SVC_CONFIG_PATH: path,
      SVC_STATE_DIR: join(this.folder, 'state'),
      ...env,
    });
  }

  /** A program that may end at once. */
  launch(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    const program = launch(name, args, { SVC_CONFIG_PATH: '/dev/null', ...env });
    this.#programs.push(program);
    return program;
  }

  async turn(device: BenchDeviceName, knobs: Json): Promise<void> {
    const response = await fetch(`${this.#bench.url}/bench/v1/${device}/knobs`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(knobs),
    });
    if (!response.ok) throw new Error(`knobs of ${device}: ${await response.text()}`);
  }

  async close(): Promise<void> {
    for (const program of this.#programs.reverse()) await end(program);
    await end(this.#bench);
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #ready(name: string, args: string[], env: Readonly<Record<string, string>>): Promise<Service> {
    const program = await launchReady(name, args, { SVC_CONFIG_PATH: '/dev/null', ...env });
    this.#programs.push(program);
    return program;
  }
}

export async function onSensorsRig(work: (rig: SensorsRig) => Promise<void>): Promise<void> {
  const rig = await SensorsRig.open();
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}

/** Entry of a plugin that another service stands for. */
export const httpPlugin = (id: string, url: string): string =>
  `${id}: { connection_type: http, connection_params: { base_url: ${JSON.stringify(url)} } }\n`;

/** `adc_map` with channels from the stack. */
export const adcMap = (url: string, pins: Readonly<Record<string, string>>): string => {
  const channels = Object.entries(pins).map(
    ([id, pin]) => `    ${id}: { endpoint: /api/v1/adc/${id.slice(-1)}, pin: ${pin}, unit: V }\n`,
  );
  return `adc_map:\n  device: adc-stack\n  transport: http\n  base_url: ${JSON.stringify(url)}\n  channels:\n${channels.join('')}`;
};

export async function get(
  service: Service,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(service.url + path, { headers });
  return { status: response.status, body: (await response.json()) as Json };
}

export const sensor = (id: string): string => `/api/v1/hardware/sensor/${id}`;
export const batch = (ids: string): string => `/api/v1/hardware/sensors/batch?sensor_ids=${ids}`;

/** Resolves with the first answer that is as wanted. The test's own time-out bounds it. */
export async function until(
  service: Service,
  path: string,
  wanted: (answer: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await get(service, path);
    if (wanted(answer)) return answer;
    await systemClock.sleep(POLL_MS);
  }
}
