import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Bench, type BenchDevice } from '../../../bench/bench.ts';
import { systemClock } from '../../../lib/clock/clock.ts';
import type { Route } from '../../../lib/http/route.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import { type AdcServiceDefinition, type RunningAdcService, startAdcService } from './adc-service.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, else the text. */
  body: unknown;
}

export interface TestAdcService extends RunningAdcService {
  /** Sends one request, for example `call('/api/v1/adc/1')`. */
  call(path: string, init?: RequestInit): Promise<Answer>;
  /** What it has logged. */
  lines: string[];
}

/** Twins behind real transports in a folder of their own, and ADC services on them in this process. */
export class AdcBench {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-adc-'));
  readonly bench: Bench;
  readonly #services: RunningAdcService[] = [];

  static async open(only: readonly BenchDevice[] = ['usbhid', 'uart', 'bank']): Promise<AdcBench> {
    const made = new AdcBench(only);
    await made.bench.open();
    return made;
  }

  private constructor(only: readonly BenchDevice[]) {
    this.bench = new Bench({ folder: join(this.folder, 'bench'), only });
  }

  /** Variables that lead a service to these twins. */
  get env(): Record<string, string> {
    return {
      USBADC_ADDRESS: `bench:${join(this.folder, 'bench', 'usbhid.sock')}`,
      UARTADC_SERIAL_PORT: join(this.folder, 'bench', 'uart'),
      SVC_STATE_DIR: this.stateDir,
    };
  }

  get stateDir(): string {
    return join(this.folder, 'state');
  }

  /** Variables that put channels on the bank. */
  bankEnv(map: Record<string, number>): Record<string, string> {
    return { BANK_ADC_URL: this.bench.addresses.bank, BANK_ADC_CHANNEL_MAP: JSON.stringify(map) };
  }

  turn(device: BenchDevice, knobs: Record<string, unknown>): Promise<unknown> {
    return this.bench.setKnobs(device, knobs);
  }

  async start(definition: AdcServiceDefinition, env: Record<string, string> = {}): Promise<TestAdcService> {
    const lines: string[] = [];
    const routes: Route[] = [];
    const build: AdcServiceDefinition['build'] = (around) => {
      const parts = definition.build(around);
      routes.push(...parts.routes);
      return parts;
    };
    const running = await startAdcService({
      definition: { ...definition, build },
      env: { ...this.env, ...env },
      bind: { host: '127.0.0.1', port: 0 },
      clock: systemClock,
      logger: collecting(lines),
    });
    this.#services.push(running);
    return {
      ...running,
      lines,
      call: async (path, init) => {
        const answer = await call(running.url + path, init);
        if (answer.status === 200) isAsDescribed(routes, path, answer.body);
        return answer;
      },
    };
  }

  async close(): Promise<void> {
    for (const service of this.#services) await service.shutDown();
    await this.bench.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs `work` on a bench of its own. */
export async function onAdcBench(
  work: (rig: AdcBench) => Promise<void>,
  only?: readonly BenchDevice[],
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

/** Whether a good answer has exactly the members that `/openapi.json` promises. */
function isAsDescribed(routes: readonly Route[], path: string, body: unknown): void {
  const [plain = ''] = path.split('?');
  const route = routes.find(({ paths }) =>
    paths.some((pattern) => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(plain)),
  );
  if (route?.answer) assert.equal(route.answer.parse(body), body, `${path} is as described`);
}

async function call(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const text = await response.text();
  const isJson = (headers.get('content-type') ?? '').includes('json') && text !== '';
  return { status, headers, body: isJson ? JSON.parse(text) : text };
}

function collecting(lines: string[]): Logger {
  const log = (message: string) => void lines.push(message);
  return { debug: log, info: log, warn: log, error: log };
}
