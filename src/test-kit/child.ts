// The process of one test file: `node child.mjs <bundle> <list|run> <exitGraceMs>`, events on EVENT_FD.
import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers';
import { pathToFileURL } from 'node:url';
import { Collector } from './collector.ts';
import { endWithParent } from './end-with-parent.ts';
import { EVENT_FD, type TestEvent } from './events.ts';
import { installObserver } from './observer.ts';

const [, , bundle, mode, exitGraceMs] = process.argv;
// A runner that was killed leaves no test behind that goes on.
endWithParent();

// Synchronous, so that nothing is lost when a test ends the process.
const send = (event: TestEvent) => {
  writeSync(EVENT_FD, `${JSON.stringify(event)}\n`);
};
const collector = new Collector(send);
installObserver(collector);

// uvu's own switches for a runner that starts the queue itself.
const queue: unknown[] = [null];
Object.assign(globalThis, { UVU_DEFER: 1, UVU_INDEX: 0, UVU_QUEUE: [queue] });

process.on('uncaughtException', (error) => collector.stray('uncaught exception', error));
process.on('unhandledRejection', (reason) => collector.stray('unhandled rejection', reason));

const uvu = await importUvuQuietly();
const loaded = await load(String(bundle));
collector.seal(loaded, queue.length - 1);
if (loaded && mode === 'run') await uvu.exec();
collector.finished();

if (mode === 'list') process.exit();
// Unreferenced: it fires only when something else keeps the process alive.
setTimeout(() => {
  const holders = process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap');
  collector.problem({
    message: `the file leaves handles open that keep its process alive: ${holders.join(', ')}`,
  });
  process.exit(1);
}, Number(exitGraceMs)).unref();

async function load(file: string): Promise<boolean> {
  try {
    await import(pathToFileURL(file).href);
    return true;
  } catch (error) {
    collector.problemFrom('the file does not load', error);
    return false;
  }
}

/** uvu takes its writer when it is loaded. The runner prints the results; stdout stays with the tests. */
async function importUvuQuietly() {
  const stdout = Object.getOwnPropertyDescriptor(process, 'stdout')!;
  const { log } = console;
  Object.defineProperty(process, 'stdout', { value: undefined, configurable: true });
  Object.assign(console, { log: () => {} });
  try {
    return await import('uvu');
  } finally {
    Object.defineProperty(process, 'stdout', stdout);
    Object.assign(console, { log });
  }
}
