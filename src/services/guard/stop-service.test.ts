import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import type { GuardReport } from '../../rig/guard/guard-report.ts';
import type { StepReport } from '../../rig/safe-state/report.ts';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';
import { exchangeBytes } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';
import { StopService } from './stop-service.ts';

const test = suite('POST /stop, while the stop is under way');
const TOKEN = 'a-token-of-the-rig-for-tests';
/** Of this machine as others reach it. */
const [outside] = Object.values(networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal);

const PUMP: StepReport = {
  ...{ name: 'pump_zero', ok: true, status: 'done', verified: true },
  ...{ duration_ms: 40, detail: 'duty 0' },
};
const REPORT: GuardReport = {
  ...{ ok: true, outcome: 'safe', reason: 'operator', duration_ms: 640, mock: false, steps: [PUMP] },
  ...{ by: 'svc-guard', at: '2025-01-15T10:00:00.000Z', bench: true, killed: [], reaction_ms: 100 },
};

interface Stopping {
  url: string;
  service: StopService;
  /** Who asked, in order. */
  asked: string[];
  /** The log. */
  lines: string[];
  /** The stop ends. */
  end(): void;
}

/** A guard whose stop ends when the test says so. */
async function onStops(
  work: (stops: Stopping) => Promise<void>,
  env: Record<string, string> = { SVC_GUARD_PORT: '0' },
  stateDir = temporaryFolder('guard-'),
): Promise<void> {
  const asked: string[] = [];
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  let end = () => {};
  const ended = new Promise<GuardReport>((resolve) => {
    end = () => resolve(REPORT);
  });
  const service = new StopService({
    env,
    stateDir,
    clock: systemClock,
    logger: { debug: log, info: log, warn: log, error: log },
    stop: ({ by, id = '' }) => {
      asked.push(id === '' ? by : `${by}, stop ${id}`);
      return ended;
    },
  });
  service.open();
  try {
    while (!/POST .*\/stop/.test(lines.join())) await systemClock.sleep(1);
    const [, port] = /POST http:\S+:(\d+)\/stop/.exec(lines.join()) ?? [];
    await work({ url: `http://127.0.0.1:${port}`, service, asked, lines, end });
  } finally {
    service.close();
  }
}

/** Reads line by line. */
function linesOf(response: Response): () => Promise<Record<string, unknown> | undefined> {
  const reader = response.body?.getReader();
  let rest = '';
  return async () => {
    for (;;) {
      const at = rest.indexOf('\n');
      if (at >= 0) {
        const line = rest.slice(0, at);
        rest = rest.slice(at + 1);
        return JSON.parse(line) as Record<string, unknown>;
      }
      const next = await reader?.read();
      if (!next || next.done) return undefined;
      rest += Buffer.from(next.value).toString('utf8');
    }
  };
}

const post = (url: string, init: RequestInit = {}) => fetch(url, { method: 'POST', ...init });

test('SVC-069 it answers at once that the stop has begun, and each step when it has ended', () =>
  onStops(async ({ url, service, asked, end }) => {
    const next = linesOf(await post(`${url}/stop?by=Ada`));
    const { event, by } = (await next()) ?? {};
    assert.equal([event, by, asked], ['begun', 'Ada', ['Ada']]);
    service.stepEnded(PUMP);
    assert.equal(await next(), { event: 'step', ...PUMP });
    end();
    assert.equal(await next(), { event: 'report', ...REPORT }, 'a step is told once');
    assert.is(await next(), undefined);
  }));

test('SVC-069 a stop is never refused for its form, and names who asks in one line of readable length', () =>
  onStops(async ({ url, asked, end }) => {
    end();
    const long = 'x'.repeat(200);
    for (const query of [
      '',
      '?by=',
      '?by=Ada%0A%0D%09Lovelace',
      `?by=${long}`,
      '?by=a&by=b',
      '?by=Ada&id=0a1b2c3d',
      '?by=Ada&id=%00',
    ])
      assert.is(
        (await post(`${url}/stop${query}`, { body: '{', headers: { 'content-type': 'text/plain' } })).status,
        200,
      );
    assert.equal(asked, [
      '127.0.0.1',
      '127.0.0.1',
      'Ada Lovelace',
      'x'.repeat(100),
      'a',
      'Ada, stop 0a1b2c3d',
      'Ada',
    ]);
  }));

test('SVC-069 a stop goes on when its client goes away', () =>
  onStops(async ({ url, asked, end }) => {
    const gone = new AbortController();
    const response = await post(`${url}/stop?by=Ada`, { signal: gone.signal });
    gone.abort();
    await response.text().catch(() => {});
    end();
    assert.equal(asked, ['Ada']);
    assert.is((await post(`${url}/stop?by=Bob`)).status, 200, 'it serves the next one');
  }));

test.needs(outside !== undefined, 'this machine has no address but loopback')(
  'SVC-069 bound wider it needs the token, but not from this machine',
  () =>
    onStops(
      async ({ url, asked, end }) => {
        end();
        const there = `http://${outside?.address}:${new URL(url).port}`;
        assert.is((await post(`${there}/stop?by=foreign`)).status, 401);
        assert.equal(asked, []);
        assert.is((await post(`${url}/stop?by=here`)).status, 200);
        const headers = { authorization: `Bearer ${TOKEN}` };
        assert.is((await post(`${there}/stop?by=there`, { headers })).status, 200);
        assert.equal(asked, ['here', 'there']);
      },
      { SVC_GUARD_PORT: '0', SVC_API_HOST: '0.0.0.0', SVC_API_TOKEN: TOKEN },
    ),
);

test('SVC-069 it is served on port 8201 of this machine alone, where nothing else is said', () =>
  onStops(async ({ lines }) => {
    // Another guard of this machine may have it, which is told with the address.
    assert.match(lines.join(), /127\.0\.0\.1:8201/);
  }, {}));

test('SVC-069 it takes the page where svc-server really listens, also at port 80 and at an IPv6 address', async () => {
  const stateDir = temporaryFolder('guard-');
  const origins = async (host: string, url: string, origin: string) => {
    const head = ['POST /stop HTTP/1.1', `Host: ${host}`, `Origin: ${origin}`, 'Content-Length: 0'];
    const answer = await exchangeBytes(url, `${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    return [answer.slice(9, 12), /access-control-allow-origin: (\S+)/i.exec(answer)?.[1]];
  };
  const env = { SVC_GUARD_PORT: '0', SVC_API_PORT: '9', SVC_ALLOWED_HOSTS: 'rig' };
  for (const [port, host, origin] of [
    [80, 'rig:8201', 'http://rig'],
    [80, '[::1]:8201', 'http://[::1]'],
    [8300, '[::1]:8201', 'http://[::1]:8300'],
  ] as const) {
    writeFileSync(join(stateDir, 'listening-svc-server.json'), `{"port":${port}}\n`);
    await onStops(
      async ({ url, end }) => {
        end();
        while ((await origins(host, url, origin))[0] !== '200') await systemClock.sleep(10);
        assert.equal(await origins(host, url, origin), ['200', origin]);
        assert.equal(await origins(host, url, origin.replace('http:', 'https:')), ['403', undefined]);
      },
      env,
      stateDir,
    );
    const { port: guard } = JSON.parse(readFileSync(join(stateDir, 'listening-svc-guard.json'), 'utf8')) as {
      port: number;
    };
    assert.ok(guard > 0, 'the page is told where the guard listens');
  }
});

test.run();
