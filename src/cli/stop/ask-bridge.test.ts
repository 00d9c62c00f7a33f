import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { askBridgeToStop } from './stop-rig.ts';

const test = suite('a stop asks the bridge');

const REPORT = { ok: true, outcome: 'safe', reason: 'requested', duration_ms: 1, mock: false, steps: [] };

const ASKED = { by: 'anna@rig', id: 'a1' };
const PATH = '/api/v1/hardware/safe-state?reason=operator&by=anna%40rig&id=a1';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server for the time of the work. */
async function withServer(handler: Handler, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const ask = (url: string, env = {}) => askBridgeToStop(url, env, ASKED, { clock: systemClock });

test('by one POST without a body, with the token where there is one', async () => {
  const asked: unknown[] = [];
  const handler: Handler = ({ method, url, headers }, response) => {
    asked.push([method, url, headers['content-length'], headers.authorization]);
    response.end(JSON.stringify(REPORT));
  };
  await withServer(handler, async (url) => {
    assert.equal(await ask(url), { report: REPORT });
    assert.equal(await ask(`${url}/rig`, { SVC_API_TOKEN: 'sixteen-or-more-x' }), { report: REPORT });
  });
  assert.equal(asked, [
    ['POST', PATH, '0', undefined],
    ['POST', `/rig${PATH}`, '0', 'Bearer sixteen-or-more-x'],
  ]);
});

test('the report of a rig that is not safe counts, whatever the status', async () => {
  const report = { ...REPORT, ok: false, outcome: 'partial' };
  const handler: Handler = (_request, response) => {
    response.statusCode = 503;
    response.end(JSON.stringify(report));
  };
  await withServer(handler, async (url) => assert.equal(await ask(url), { report }));
});

test('a refusal is reported in the words of the bridge, else by its status', async () => {
  const bodies = ['{"detail":"wrong token: set SVC_API_TOKEN"}', '{"detail":7}', 'null'];
  const handler: Handler = (_request, response) => {
    response.statusCode = 401;
    response.end(bodies.shift());
  };
  await withServer(handler, async (url) => {
    assert.equal(await ask(url), { why: 'wrong token: set SVC_API_TOKEN' });
    assert.equal(await ask(url), { why: 'it answered with status 401' });
    assert.equal(await ask(url), { why: 'it answered with status 401' });
  });
});

test('a redirect is never followed, and what comes with it is no report', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const asked: (string | undefined)[] = [];
    const handler: Handler = ({ url }, response) => {
      asked.push(url);
      response.writeHead(status, { location: '/elsewhere' }).end(JSON.stringify(REPORT));
    };
    await withServer(handler, async (url) => {
      const answer = await ask(url);
      const told = `was answered with ${status} to /elsewhere`;
      assert.ok('why' in answer && answer.why.includes(told), JSON.stringify(answer));
    });
    assert.equal(asked, [PATH]);
  }
});

test('what is not an answer is a sentence', async () => {
  await withServer(
    (_request, response) => response.end('<html>'),
    async (url) => {
      const answer = await ask(url);
      assert.ok('why' in answer && /JSON/.test(answer.why), JSON.stringify(answer));
    },
  );
  await withServer(
    (_request, response) => {
      response.writeHead(200, { 'content-length': 4000 });
      response.write(JSON.stringify(REPORT), () => response.destroy());
    },
    async (url) => {
      const answer = await ask(url);
      assert.ok(
        'why' in answer && /broke off after \d+ bytes: aborted/.test(answer.why),
        JSON.stringify(answer),
      );
    },
  );
  let gone = '';
  await withServer(
    () => {},
    async (url) => {
      gone = url;
    },
  );
  for (const [url, what] of [
    [gone, 'connection refused'],
    [gone.replace('127.0.0.1', 'localhost'), 'connection refused'],
    [gone.replace('http:', 'https:'), 'connection refused'],
  ] as const) {
    const answer = await ask(url);
    assert.ok('why' in answer && answer.why.includes(what), `${url}: ${JSON.stringify(answer)}`);
  }
});

for (const begins of [false, true])
  test(`a bridge that ${begins ? 'does not end its answer' : 'is silent'} has 7 s`, async () => {
    const clock = new SteppedClock();
    let reached = (): void => {};
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const handler: Handler = (_request, response) => {
      if (begins) response.write('{"ok":');
      reached();
    };
    await withServer(handler, async (url) => {
      const answer = askBridgeToStop(url, {}, ASKED, { clock });
      await asked;
      await clock.advance(7000);
      const told = await answer;
      assert.ok(
        'why' in told && told.why.includes('gave no whole answer within 7000 ms'),
        JSON.stringify(told),
      );
      assert.is(clock.pending, 0);
    });
  });

test.run();
