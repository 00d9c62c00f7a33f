import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../lib/errors/coded-error.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** A long report on a busy machine, ms. */
const LIMIT_MS = 60_000;

/** The first Chromium in PATH; undefined where there is none. */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Prints a page of ours, which has no script and loads nothing, to a PDF. @returns why it failed; undefined when it is there */
export async function printPdf(chromium: string, html: string, pdf: string): Promise<string | undefined> {
  const profile = mkdtempSync(join(tmpdir(), 'svc-report-'));
  // Chromium refuses its sandbox to root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [
    ...['--headless', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`, ...asRoot],
    ...['--no-pdf-header-footer', `--print-to-pdf=${pdf}`, pathToFileURL(html).href],
  ];
  try {
    await new Promise<void>((resolve, reject) => {
      execFile(chromium, args, { timeout: LIMIT_MS, killSignal: 'SIGKILL' }, (cause, _stdout, stderr) => {
        if (cause) reject(new Error(stderr.trim().split('\n').at(-1) || messageOf(cause)));
        else resolve();
      });
    });
    return statSync(pdf, { throwIfNoEntry: false }) ? undefined : 'it wrote no file';
  } catch (thrown) {
    return messageOf(thrown);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}
