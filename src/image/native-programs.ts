import { fileURLToPath } from 'node:url';
import { output } from './command.ts';

const SCRIPT = fileURLToPath(new URL('./native-programs.sh', import.meta.url));

/** For programs in a root file system: those that were lent to it come first. */
export const NATIVE_PATH = '/svc-native:/usr/sbin:/usr/bin:/sbin:/bin';

/** Program that lends programs to a root file system for arm64, and takes them back; undefined where nothing is emulated. */
export const nativePrograms = (): string | undefined =>
  process.arch === 'arm64' ? undefined : `sh '${SCRIPT}'`;

/** Does work in a root file system that has programs of this machine meanwhile. */
export async function withNativePrograms<Made>(folder: string, work: () => Promise<Made>): Promise<Made> {
  const lend = nativePrograms();
  if (lend === undefined) return work();
  const run = (what: string) => output('sh', ['-c', `${lend} ${what} "$0"`, folder]);
  await run('put');
  try {
    return await work();
  } finally {
    await run('remove');
  }
}
