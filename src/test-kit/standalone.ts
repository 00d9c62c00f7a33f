import { describeFailure } from './failure.ts';
import type { Observer } from './observer.ts';

/**
 * Observer of a test file that runs without the runner (`npx tsx some.test.ts`): uvu prints the results, this adds
 * the skip reasons and makes a failed hook end the process with 1, which uvu does not.
 */
export function standaloneObserver(out: (text: string) => void): Observer {
  let lastId = 0;
  return {
    opened: () => ++lastId,
    registered: (_key, title, skipReason) => {
      if (skipReason !== undefined) out(`skipped "${title}": ${skipReason}\n`);
      return ++lastId;
    },
    ran: () => {},
    started: () => {},
    passed: () => {},
    failed: () => {},
    hookStarted: () => {},
    hookFailed: (name, error) => {
      const { message, stack } = describeFailure(error);
      out(`\n${name} failed: ${message}\n${stack ?? ''}\n`);
      process.once('exit', () => {
        process.exitCode = 1;
      });
    },
  };
}
