import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../lib/clock/stepped-clock.ts';
import { messageOf } from '../lib/errors/coded-error.ts';
import { suite } from '../test-kit/suite.ts';
import { ScenarioServer } from '../test-kit/sync/scenario-server.ts';
import { Collection, TIMEOUT_MS } from './collection.ts';

const test = suite('the scenario collection of a server');
const folder = mkdtempSync(join(tmpdir(), 'collection-'));
let server: ScenarioServer;

test.before(async () => {
  server = await ScenarioServer.start(join(folder, 'rows.ndjson'), [{ id: 'a', dsl: 'GOAL:' }]);
});
test.after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test('a request without an answer ends after 20 s', async () => {
  assert.is(TIMEOUT_MS, 20_000);
  const clock = new SteppedClock();
  const asked = new Promise<void>((resolve) => {
    server.fault = () => {
      resolve();
      return 'hang';
    };
  });
  const row = new Collection(server.base, { clock }).row('a').catch(messageOf).then(String);
  await asked;
  await clock.advance(19_999);
  assert.is(await Promise.race([row, Promise.resolve('waiting')]), 'waiting');
  await clock.advance(1);
  assert.match(await row, 'gave no whole answer within 20000 ms');
});

test('user name and password of the address are used and never shown', async () => {
  server.fault = () => undefined;
  const collection = new Collection(server.base.replace('//', '//me:secret@'), { clock: new SteppedClock() });
  assert.is(collection.shownUrl, `${server.base}/api/v3/data/test_scenarios`);
  await collection.row('a');
  server.fault = () => ({ status: 401 });
  const message = await collection.row('a').catch(messageOf).then(String);
  assert.match(message, 'the server answered 401');
  assert.not.match(message, 'secret');
});

test.run();
