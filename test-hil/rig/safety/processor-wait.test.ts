import { spawn } from 'node:child_process';
import * as assert from 'uvu/assert';
import { readProc } from '../../../src/lib/proc.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { ProcessorWait } from './processor-wait.ts';

const test = suite('how long a process waits for a processor');
const counts = readProc('/proc/self/schedstat') !== '';

test.needs(counts, 'this kernel does not count')(
  'processes that share one processor are held up, one that has ended is not',
  async () => {
    const busy = Array.from({ length: 3 }, () =>
      spawn('taskset', ['-c', '0', process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' }),
    );
    try {
      const all = new ProcessorWait(busy.map(({ pid = 0 }) => ({ pid, name: 'busy' })));
      while (all.heldUp() === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
      assert.is(all.heldUp()?.name, 'busy');
      const ended = new ProcessorWait([{ pid: 2 ** 30, name: 'ended' }]);
      assert.is(ended.heldUp(), undefined);
    } finally {
      for (const one of busy) one.kill('SIGKILL');
    }
  },
);

test.run();
