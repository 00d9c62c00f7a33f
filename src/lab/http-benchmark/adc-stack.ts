import { rmSync } from 'node:fs';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';
import { type Program, start } from './program.ts';

export interface AdcStack {
  url: string;
  benchUrl: string;
  /** In the order of their start; the stack is the last. */
  programs: readonly Program[];
}

/** The arguments of node that start each program: its bundle, or its source under tsx. */
export interface AdcPrograms {
  bench: readonly string[];
  stack: readonly string[];
}

/** The ADC stack on the twins of a bench. */
export async function startAdcStack(from: AdcPrograms): Promise<AdcStack> {
  const folder = temporaryFolder('svc-bench-http-');
  const bench = await start([...from.bench, '--dir', folder, '--port', '0', '--only', 'usbhid,uart']);
  const stop = async () => {
    await bench.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const devices = bench.first.devices as Record<string, string>;
  try {
    const stack = await start([...from.stack, '--port', '0'], {
      USBADC_ADDRESS: devices.usbhid ?? '',
      UARTADC_SERIAL_PORT: devices.uart ?? '',
      SVC_STATE_DIR: folder,
      SVC_CONFIG_PATH: '/dev/null',
    });
    const benchUrl = String(bench.first.url);
    return { url: String(stack.first.url), benchUrl, programs: [{ ...bench, stop }, stack] };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}
