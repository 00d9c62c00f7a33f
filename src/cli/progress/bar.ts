const WIDTH = 30;

/** A progress bar of a `total` above 0 as one line of text: `[########------] 8/14`. */
export function bar(done: number, total: number): string {
  const filled = Math.floor((WIDTH * done) / total);
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${done}/${total}`;
}
