import type { Io } from '../io/io.ts';

/** What a start uses of the world. It never reads: the terminal's input belongs to the run. */
export type StartIo = Omit<Io, 'stdin' | 'fetch'>;
