import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { listI2cBuses } from '../../../src/transports/sysfs/i2c-buses.ts';

/** The bundled sensor service as a process of the guest, on an adapter of the guest's kernel. */
export function sensorCommands() {
  let service: ChildProcess | undefined;
  let url = '';
  return {
    i2cBuses: () => listI2cBuses(),
    /** @returns when it can be used */
    startSensors: async (env: Record<string, string>): Promise<void> => {
      const bundle = fileURLToPath(new URL('svc-sensors.cjs', import.meta.url));
      const child = spawn(process.execPath, [bundle, '--port', '0'], {
        env: { HOME: '/tmp', SVC_HARDWARE_MODE: 'real', ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      service = child;
      url = await new Promise((resolve, reject) => {
        let text = '';
        child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          const [, found] = /"ready":true.*"url":"([^"]+)"/.exec(text) ?? [];
          if (found !== undefined) resolve(found);
        });
        child.once('close', (code) => reject(new Error(`svc-sensors ended with ${code}`)));
      });
    },
    /** The end of the process as the kernel tells it; null while it runs. */
    sensorsEnded: () => service?.exitCode ?? service?.signalCode ?? null,
    getSensors: async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
      const response = await fetch(url + path);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    /** @returns its exit code */
    stopSensors: async (): Promise<number | null> => {
      const child = service;
      if (!child || child.exitCode !== null) return child?.exitCode ?? null;
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      child.kill();
      return ended;
    },
  };
}
