import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Writable } from 'node:stream';
import { MARK_VARIABLE } from '../lib/http/answer-tap.ts';
import { readProc, statFields } from '../lib/proc.ts';

/** In the environment of everything that a test, a benchmark or a stress run has started: the pid and start of that program. */
export const STARTED_BY_VARIABLE = 'SVC_RIG_STARTED_BY';

/** The runner of the tests looks first for what a file has left behind, and reports it. */
const GRACE_MS = 5000;
const LOOK_EVERY_MS = 500;
/** `npm run` starts a shell, that one tsx, that one node. */
const MOST_ANCESTORS = 4;

/**
 * Runs as a process of its own, and reads from a pipe that the kernel closes when this program ends, however it ends. Then it
 * kills what carries the mark until nothing is left, also what PM2 starts meanwhile, and removes the folders.
 */
const CLEANER = `
const { readdirSync, readFileSync, rmSync } = require('node:fs');
const [mark, graceMs] = process.argv.slice(1);
let text = '';
process.stdin.on('data', (chunk) => { text += chunk; });
process.stdin.on('error', () => {});
process.stdin.on('close', () => setTimeout(clean, Number(graceMs)));
const environ = (pid) => { try { return readFileSync('/proc/' + pid + '/environ', 'utf8').split('\\0'); } catch { return []; } };
const marked = () => readdirSync('/proc').map(Number).filter((pid) => pid > 0 && environ(pid).includes(mark));
function clean() {
  const pids = marked();
  for (const pid of pids) try { process.kill(pid, 'SIGKILL'); } catch {}
  if (pids.length > 0) return setTimeout(clean, 50);
  for (const folder of text.split('\\n')) if (folder !== '') rmSync(folder, { recursive: true, force: true });
}
`;

let cleaner: Writable | undefined;

/**
 * From now on everything that this program starts ends with it, after SIGTERM, SIGINT and SIGKILL too: it inherits a mark in its
 * environment. Needs Linux's /proc; elsewhere nothing is ended.
 * @returns the mark, for children that do not inherit this environment
 */
export function endWithThisProcess(): Record<string, string> {
  if (!cleaner) cleaner = startCleaner();
  return { [STARTED_BY_VARIABLE]: process.env[STARTED_BY_VARIABLE] ?? '' };
}

function startCleaner(): Writable {
  const mark = `${process.pid}-${startTicksOf(process.pid)}`;
  process.env[STARTED_BY_VARIABLE] = mark;
  const graceMs = process.env[MARK_VARIABLE] === undefined ? 0 : GRACE_MS;
  const args = ['-e', CLEANER, `${STARTED_BY_VARIABLE}=${mark}`, String(graceMs)];
  // In a session of its own: neither Ctrl-C nor the end of the terminal reaches it.
  const child = spawn(process.execPath, args, {
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as Writable & { unref?: () => void }).unref?.();
  if (process.env.npm_lifecycle_event !== undefined) endWithAncestors();
  return child.stdin;
}

/** A folder for what this program starts; it is removed at the latest when this program has ended. @param prefix of its name */
export function temporaryFolder(prefix: string): string {
  endWithThisProcess();
  const path = mkdtempSync(join(tmpdir(), prefix));
  cleaner?.write(`${path}\n`);
  return path;
}

/** Ends this process when the one that started it has ended, which a SIGKILL of that one does not do by itself. */
export function endWithParent(): void {
  endWith([process.ppid]);
}

/** `npm run` and what stands between: each of them may be killed alone. */
function endWithAncestors(): void {
  const pids: number[] = [];
  for (let pid = process.ppid; pid > 1 && pids.length < MOST_ANCESTORS; pid = parentOf(pid)) {
    pids.push(pid);
    if (readProc(`/proc/${pid}/cmdline`).startsWith('npm')) break;
  }
  endWith(pids);
}

function endWith(pids: readonly number[]): void {
  const starts = pids.map((pid) => [pid, startTicksOf(pid)] as const);
  const timer = setInterval(() => {
    if (starts.some(([pid, ticks]) => startTicksOf(pid) !== ticks)) process.kill(process.pid, 'SIGKILL');
  }, LOOK_EVERY_MS);
  timer.unref();
}

const startTicksOf = (pid: number): string => statFields(`/proc/${pid}/stat`)[19] ?? 'none';
const parentOf = (pid: number): number => Number(statFields(`/proc/${pid}/stat`)[1] ?? 0);
