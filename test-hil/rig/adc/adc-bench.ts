import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { Bench, type BenchDeviceName } from '../../../src/bench/bench.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { end, launchReady, type Program } from '../bench/program.ts';
import type { AdcServiceName } from './adc-rig.ts';
import { AnswerSchemas } from './answer-schemas.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, else the text. */
  body: unknown;
}

export type Call = (path: string, init?: RequestInit) => Promise<Answer>;

export interface BuiltService {
  url: string;
  program: Program;
  /** Sends one request, for example `call('/api/v1/adc/1')`. A good answer must be as `/openapi.json` describes it. */
  call: Call;
  /** Ends it in order, and sees that it ends with 0. */
  stop(): Promise<void>;
}

/** Twins behind real transports in this process, where they can be looked into, and the built services on them. */
export class AdcBench {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-adc-'));
  readonly bench: Bench;
  readonly #services = new Set<BuiltService>();

  static async open(only: readonly BenchDeviceName[] = ['usbhid', 'uart', 'bank']): Promise<AdcBench> {
    const made = new AdcBench(only);
    await made.bench.open();
    return made;
  }

  private constructor(only: readonly BenchDeviceName[]) {
    this.bench = new Bench({ folder: join(this.folder, 'bench'), only });
    symlinkSync(join(this.folder, 'bench', 'uart'), this.uart);
  }

  /**
   * The module's serial port, by a name that no other rig on this machine has: while the module is away, its lock is
   * named by the last part of its path alone.
   */
  get uart(): string {
    return join(this.folder, `${basename(this.folder)}-uart`);
  }

  get stateDir(): string {
    return join(this.folder, 'state');
  }

  /** Variables that lead a service to these twins. */
  get env(): Record<string, string> {
    return {
      SVC_CONFIG_PATH: '/dev/null',
      SVC_STATE_DIR: this.stateDir,
      USBADC_ADDRESS: `bench:${join(this.folder, 'bench', 'usbhid.sock')}`,
      UARTADC_SERIAL_PORT: this.uart,
    };
  }

  /** Variables that put channels on the bank. */
  bankEnv(map: Record<string, number>): Record<string, string> {
    return { BANK_ADC_URL: this.bench.addresses.bank, BANK_ADC_CHANNEL_MAP: JSON.stringify(map) };
  }

  turn(device: BenchDeviceName, knobs: Record<string, unknown>): Promise<unknown> {
    return this.bench.setKnobs(device, knobs);
  }

  /** Number of the newest entry in the twins' trace: it stands still while no device is asked. */
  get traced(): number {
    return this.bench.trace().at(-1)?.n ?? 0;
  }

  async start(name: AdcServiceName, env: Record<string, string> = {}): Promise<BuiltService> {
    const program = await launchReady(name, ['--port', '0'], { ...this.env, ...env });
    const { url } = program;
    const schemas = new AnswerSchemas(url);
    const service: BuiltService = {
      url,
      program,
      call: async (path, init) => {
        const answer = await call(url + path, init);
        if (answer.status === 200) await schemas.check(path, answer.body);
        return answer;
      },
      stop: async () => {
        if (!this.#services.delete(service)) return;
        const { code, signal, stderr } = await end(program);
        assert.equal({ code, signal }, { code: 0, signal: null }, stderr);
      },
    };
    this.#services.add(service);
    return service;
  }

  async close(): Promise<void> {
    try {
      for (const service of [...this.#services]) await service.stop();
    } finally {
      await this.bench.close();
      rmSync(this.folder, { recursive: true, force: true });
    }
  }
}

/** Runs `work` on a bench of its own. */
export async function onAdcBench(
  work: (rig: AdcBench) => Promise<void>,
  only?: readonly BenchDeviceName[],
): Promise<void> {
  const rig = await AdcBench.open(only);
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}

/** Resolves when `isTrue` does; the test's own time-out bounds it. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await systemClock.sleep(20);
}

async function call(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const text = await response.text();
  const isJson = (headers.get('content-type') ?? '').includes('json') && text !== '';
  return { status, headers, body: isJson ? JSON.parse(text) : text };
}
