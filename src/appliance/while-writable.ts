import type { Places } from './places.ts';
import { runProgram } from './run-program.ts';
import { textOf } from './write-whole.ts';

/** The FAT partition is mounted read-only at all other times. @throws ApplianceError where it cannot be written */
export async function whileWritable<T>({ root, firmware }: Places, work: () => T | Promise<T>): Promise<T> {
  const isMounted = root === '/' && (textOf('/proc/mounts') ?? '').includes(` ${firmware} `);
  if (isMounted) runProgram('mount', ['-o', 'remount,rw', firmware]);
  try {
    return await work();
  } finally {
    if (isMounted) {
      runProgram('sync', ['-f', firmware]);
      runProgram('mount', ['-o', 'remount,ro', firmware]);
    }
  }
}
