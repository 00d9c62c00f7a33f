import { join } from 'node:path';

/** Where the parts of an appliance are. Another root than `/` shows another machine: a folder of a test. */
export interface Places {
  /** Of everything that follows. */
  root: string;
  /** FAT partition of the card. */
  firmware: string;
  /** Data partition. */
  data: string;
  /** @returns a path of the machine below the root */
  at: (path: string) => string;
}

/** @param env `SVC_HOST_ROOT` is another root */
export function placesOf(env: Readonly<Record<string, string | undefined>>): Places {
  const root = env.SVC_HOST_ROOT || '/';
  const at = (path: string) => (root === '/' ? path : join(root, path));
  return { root, firmware: at('/boot/firmware'), data: at('/data'), at };
}
