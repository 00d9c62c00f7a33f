import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../../../lib/clock/stepped-clock.ts';
import { suite } from '../../../../test-kit/suite.ts';
import { IndexThread } from './index-thread.ts';

const test = suite('the thread of the index');
const folder = mkdtempSync(join(tmpdir(), 'index-thread-'));
test.after(() => rmSync(folder, { recursive: true }));

/** A thread that answers once `flag` exists; before that it does what is said. */
function threadThat(before: string) {
  const name = String(Math.abs(before.length * 31 + before.charCodeAt(0)));
  const flag = join(folder, `${name}.flag`);
  const path = join(folder, `${name}.mjs`);
  writeFileSync(
    path,
    `import { existsSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const works = existsSync(${JSON.stringify(flag)});
    parentPort.on('message', ({ id, name }) => {
      if (works) parentPort.postMessage({ id, answer: name });
      else ${before};
    });`,
  );
  const clock = new SteppedClock();
  const reports: string[] = [];
  const entry = pathToFileURL(path);
  const thread = new IndexThread({ entry, stateDir: folder, clock, report: (line) => reports.push(line) });
  return { thread, clock, reports, works: () => writeFileSync(flag, '') };
}

const refusal = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (error: Error & { code: string }) => `${error.code}: ${error.message}`,
  );

for (const [what, before, why] of [
  ['ends', 'process.exit(3)', /it ended with code 3/],
  ['fails', "throw new Error('out of order')", /out of order/],
] as const)
  test(`REC-005 a thread that ${what} fails its questions and is replaced`, async () => {
    const { thread, clock, reports, works } = threadThat(before);
    assert.match(await refusal(thread.ask('progress', null, 1000)), why);
    assert.match(reports.join('\n'), why);
    assert.match(await refusal(thread.ask('progress', null, 1000)), /is being started again/);
    works();
    await clock.advance(1000);
    assert.is(await thread.ask('progress', null, 1000), 'progress' as never);
    await thread.close();
  });

test('REC-005 a thread that hangs is replaced after the limit of its question; what waits behind it fails too', async () => {
  const { thread, clock, reports, works } = threadThat('for (;;);');
  const asked = [
    refusal(thread.ask('list', null as never, 500)),
    refusal(thread.ask('progress', null, 9000)),
  ];
  await clock.advance(500);
  for (const text of await Promise.all(asked))
    assert.match(text, /index_unavailable: .*did not answer "list" within 500 ms/);
  assert.is(reports.length, 1);
  works();
  await clock.advance(1000);
  assert.is(await thread.ask('progress', null, 1000), 'progress' as never);
  await thread.close();
  assert.match(await refusal(thread.ask('progress', null, 1000)), /index_unavailable/);
});

test.run();
