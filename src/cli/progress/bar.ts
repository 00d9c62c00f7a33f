const WIDTH = 30;

/** A progress bar as one line of text: `[########------] 8/14`. */
export function bar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((WIDTH * done) / total);
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${done}/${total}`;
}
