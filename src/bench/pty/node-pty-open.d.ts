// The package's own types leave `open` out: a pseudo-terminal without a process behind it.
declare module '@lydell/node-pty' {
  import type { ReadStream } from 'node:tty';

  export function open(options: { cols: number; rows: number; encoding: null }): {
    readonly master: ReadStream;
    readonly slave: ReadStream;
    readonly fd: number;
    readonly ptsName: string;
  };
}
