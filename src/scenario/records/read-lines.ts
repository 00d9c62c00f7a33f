import { open } from 'node:fs/promises';

const CHUNK_BYTES = 64 * 1024;
const LINE_END = 10;

export interface Line {
  readonly text: string;
  /** Offset behind its line end. */
  readonly end: number;
}

/**
 * The whole lines of a file between two offsets. What is read at once is bounded, however slow the reader is; a last
 * line without its end is left out. @param to default the end of the file. @throws the system's error
 */
export async function* readLines(
  path: string,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): AsyncGenerator<Line> {
  const file = await open(path, 'r');
  try {
    let rest = Buffer.alloc(0);
    let start = from;
    for (;;) {
      const at = start + rest.length;
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, to - at));
      if (chunk.length === 0) return;
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) return;
      let data = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      for (let end = data.indexOf(LINE_END); end >= 0; end = data.indexOf(LINE_END)) {
        start += end + 1;
        yield { text: data.toString('utf8', 0, end), end: start };
        data = data.subarray(end + 1);
      }
      rest = data;
    }
  } finally {
    await file.close();
  }
}
