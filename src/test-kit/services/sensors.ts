import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bench } from '../../bench/bench.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { parseConfig } from '../../rig/configuration/read-file.ts';
import { startDeviceService } from '../../rig/service/device-service.ts';
import type { RunningProgram } from '../../rig/service/program.ts';
import { sensorService } from '../../services/sensors/sensors.ts';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export interface TestSensors extends RunningProgram {
  get(path: string): Promise<Answer>;
  text(path: string): Promise<string>;
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** The service on a free port of this process; in real mode when `env` says so. */
export async function startSensors(env: Record<string, string> = {}, yaml = ''): Promise<TestSensors> {
  const running = await startDeviceService(sensorService, {
    env,
    config: mergeConfig(parseConfig(yaml, 'svc.yaml'), env),
    bind: { host: '127.0.0.1', port: 0 },
    clock: systemClock,
    logger: silent,
  });
  await running.open?.();
  return {
    ...running,
    get: async (path) => {
      const response = await fetch(running.url + path);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    text: async (path) => (await fetch(running.url + path)).text(),
  };
}

export interface SensorBench {
  bench: Bench;
  /** Variables that lead the service to the twin. */
  env: Record<string, string>;
  start(env?: Record<string, string>, yaml?: string): Promise<TestSensors>;
}

/** Runs `work` with the converter's twin, and ends all services that it started. */
export async function onSensorBench(work: (rig: SensorBench) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sensors-'));
  const bench = new Bench({ folder, only: ['ads1115'] });
  const services: TestSensors[] = [];
  await bench.open();
  const env = { SVC_HARDWARE_MODE: 'real', SVC_I2C_BUS: bench.addresses.ads1115 };
  try {
    await work({
      bench,
      env,
      start: async (more = {}, yaml) => {
        const service = await startSensors({ ...env, ...more }, yaml);
        services.push(service);
        return service;
      },
    });
  } finally {
    for (const service of services) await service.shutDown('test_end');
    await bench.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves when `isTrue` does; the test's own time-out bounds it. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await systemClock.sleep(20);
}
