import { messageOf } from './errors/coded-error.ts';

/** A function of the C library. */
export interface CFunction {
  (...args: readonly unknown[]): number;
  /** Name of the error of the last call, for example `ENOTTY`. */
  errno(): string;
}

/**
 * Loads a function of the C library. Node has no way to some of them; koffi calls them. This is the only file that knows that.
 *
 * @param signature in C, for example `int flock(int fd, int operation)`
 * @throws Error naming the package, where it is absent or does not load
 */
export async function loadCFunction(signature: string): Promise<CFunction> {
  let koffi: typeof import('koffi');
  try {
    koffi = await import('koffi');
  } catch (cause) {
    throw new Error(`the package koffi does not load: ${messageOf(cause).split('\n')[0]}`, { cause });
  }
  const call = koffi.load(null).func(signature);
  const names = new Map(Object.entries(koffi.os.errno).map(([name, number]) => [number, name]));
  const errno = () => {
    const number = koffi.errno();
    return names.get(number) ?? `errno ${number}`;
  };
  return Object.assign((...args: readonly unknown[]) => call(...args) as number, { errno });
}
