import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import { MetricRegistry } from '../../../lib/http/metrics.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import { DeviceNames } from '../../../rig/hardware/names.ts';
import type { SensorPort, SensorReading } from '../../../rig/hardware/ports.ts';
import { RigError } from '../../../rig/hardware/rig-error.ts';
import { Registry } from '../../../rig/registry/registry.ts';
import { deviceProblemMembers } from '../../../rig/service/problem-members.ts';
import { sensorRoutes } from '../../../rig/service/sensor-routes.ts';
import { translateRigFault } from '../../../rig/service/translate.ts';
import { startTestService, type TestService } from '../../../test-kit/http/service.ts';
import { suite } from '../../../test-kit/suite.ts';
import { RunFault } from '../fault.ts';
import { BridgeClient } from './bridge-client.ts';
import { HttpRig } from './http-rig.ts';
import { JointReads } from './joint-reads.ts';

interface Context extends TestService {
  joint: JointReads;
  /** Ends the reading of ai02, which takes until then. */
  answerSlow: () => void;
  /** Signals of the readings of ai02. */
  slow: AbortSignal[];
  /** Lines of the log of the bridge, of level warn and above. */
  warned: string[];
}

const test = suite<Context>('readings asked for together');
const ignore = () => {};
const observer = { event: ignore, marked: ignore, warning: ignore, finding: ignore, leaseLost: ignore };
const { signal: always } = new AbortController();
const path = '/api/v1/hardware';

const client = new BridgeClient(systemClock, undefined, undefined, observer);
const jointOf = (base: string) => new JointReads({ client, clock: systemClock, base, timeoutMs: 60_000 });

const reading = (value: number): SensorReading => ({
  value,
  unit: 'V',
  raw: null,
  saturated: false,
  observedAt: 1_000,
  ageMs: 0,
  adapter: 'test',
  physicalInput: 'test',
  source: 'test',
});

test.before.each(async (context) => {
  context.slow = [];
  context.warned = [];
  const slow = new Promise<void>((resolve) => {
    context.answerSlow = resolve;
  });
  const reads: Record<string, SensorPort['read']> = {
    ai01: async () => reading(1),
    ai02: async (signal = always) => {
      context.slow.push(signal);
      await Promise.race([slow, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      return reading(2);
    },
    ai03: async () => {
      throw new RigError('device_timeout', 'sensor-adc', 'no answer');
    },
    ai04: async () => {
      throw new TypeError('a defect of ai04');
    },
    'flow-1': async () => {
      throw new TypeError('a defect of flow-1');
    },
  };
  const origin = { mock: false, bench: true };
  const sensors = new Map(Object.entries(reads).map(([id, read]) => [id, { origin, unit: 'V', read }]));
  const metrics = new MetricRegistry();
  const translate = translateRigFault(metrics);
  const names = new DeviceNames({}, [{ id: 'flow-1', kind: 'el-flow' }]);
  const routes = sensorRoutes({ sensors, names, clock: systemClock, translate });
  const logger: Logger = {
    ...{ debug: ignore, info: ignore },
    error: (message) => context.warned.push(message),
    warn: (message, fields) => context.warned.push(`${message}: ${fields?.detail}`),
  };
  const options = { metrics, translate, logger, problemMembers: deviceProblemMembers };
  Object.assign(context, await startTestService(routes, options));
  context.metrics = metrics;
  context.joint = jointOf(context.url);
});

test.after.each(async ({ service, answerSlow }) => {
  answerSlow();
  await service.close(1000);
});

const requestsTo = async (metrics: MetricRegistry, route: string): Promise<number> =>
  (await metrics.render())
    .split('\n')
    .filter((line) => line.startsWith('svc_http_requests_total') && line.includes(`route="${path}${route}"`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);

test('PAGE-008 readings asked for together are one request, and none waits for a slow one', async (context) => {
  const { joint, metrics, url } = context;
  const slow = joint.read('ai02', always);
  const [good, bad, again] = await Promise.all(['ai01', 'ai03', 'ai01'].map((id) => joint.read(id, always)));
  assert.is(context.slow.length, 1);
  for (const [joined, id] of [
    [good, 'ai01'],
    [bad, 'ai03'],
    [again, 'ai01'],
  ] as const) {
    const alone = await client.send({ method: 'GET', url: `${url}${path}/sensor/${id}`, timeoutMs: 60_000 });
    assert.equal([joined?.status, joined?.json], [alone.status, alone.json], id);
  }
  assert.is(await requestsTo(metrics, '/sensors/each'), 1);
  context.answerSlow();
  assert.is(((await slow).json as { value: number }).value, 2);
  assert.is((await metrics.render()).match(/svc_device_errors_total\{.*\} (\d+)/)?.[1], '2');
});

test('SVC-061 a sensor that fails among others is in the log of the bridge, and one nobody waits for any more is not', async (context) => {
  const { joint, warned } = context;
  const stop = new AbortController();
  const left = joint.read('ai02', stop.signal).catch((reason) => reason);
  await Promise.all(['ai01', 'ai03'].map((id) => joint.read(id, always)));
  stop.abort('given up');
  await left;
  const gone = context.slow[0];
  if (!gone?.aborted) await new Promise((resolve) => gone?.addEventListener('abort', resolve));
  await context.service.close(1000);
  assert.equal(warned, [`GET ${path}/sensors/each 504: sensor-adc: no answer`]);
});

test('PAGE-008 one reading alone takes the route of its sensor', async ({ joint, metrics }) => {
  assert.is(((await joint.read('ai01', always)).json as { value: number }).value, 1);
  assert.is(await requestsTo(metrics, '/sensors/each'), 0);
});

test('PAGE-008 a reader that gives up leaves the others their readings; the last one ends the request', async (context) => {
  const stops = [new AbortController(), new AbortController()];
  const left = stops.map(({ signal }) => context.joint.read('ai02', signal).catch((reason) => reason));
  const other = context.joint.read('ai01', always);
  await other;
  stops[0]?.abort('the first');
  assert.is(await left[0], 'the first');
  assert.not.ok(context.slow[0]?.aborted);
  stops[1]?.abort('the second');
  assert.is(await left[1], 'the second');
  const gone = context.slow[0];
  if (!gone?.aborted) await new Promise((resolve) => gone?.addEventListener('abort', resolve));
});

test('PAGE-008 HEAD of several readings ends those that are not there yet', async ({ slow, url }) => {
  const { status } = await fetch(`${url}${path}/sensors/each?sensor_ids=ai01,ai02`, { method: 'HEAD' });
  assert.is(status, 200);
  const [left] = slow;
  if (!left?.aborted) await new Promise((resolve) => left?.addEventListener('abort', resolve));
});

test('PAGE-008 a defect of one sensor, or a name that is none, takes no reading from the others', async (context) => {
  const { joint, warned } = context;
  const slow = joint.read('ai02', always);
  const [good, unknown, ...defective] = await Promise.all([
    joint.read('ai01', always),
    joint.read('ai09', always),
    joint.read('ai04', always),
    joint.read('flow-1', always),
  ]);
  assert.is((good.json as { value: number }).value, 1);
  assert.equal([unknown.status, (unknown.json as { code: string }).code], [422, 'unknown_sensor']);
  context.answerSlow();
  assert.is(((await slow).json as { value: number }).value, 2);
  for (const one of defective)
    assert.equal([one.status, (one.json as { code: string }).code], [500, 'internal_error']);
  for (const id of ['ai04', 'flow-1']) assert.match(warned.join('\n'), `defect: a defect of ${id}`);
});

test('PAGE-008 a read does not join one that was given up in the same turn', async ({ joint }) => {
  const stop = new AbortController();
  const gone = joint.read('ai01', stop.signal).catch((reason) => reason);
  stop.abort('given up');
  assert.is(((await joint.read('ai01', always)).json as { value: number }).value, 1);
  assert.is(await gone, 'given up');
});

/** A bridge that answers as told. */
async function behind(answer: RequestListener, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const outcomes = (joint: JointReads, ids: readonly string[]) =>
  Promise.all(
    ids.map((id) =>
      joint.read(id, new AbortController().signal).then(
        ({ status }) => status,
        (thrown: unknown) => (thrown instanceof RunFault ? `${thrown.scn} ${thrown.message}` : 'another'),
      ),
    ),
  );

test('PAGE-008 a sensor that the answer leaves out has no reading, nor has one whose line is torn or of another', async () => {
  const line = (sensor: unknown) => JSON.stringify({ sensor, status: 200, body: {} });
  await behind(
    (_, response) => {
      response.write(`${line('ai01').slice(0, 9)}`);
      setImmediate(() =>
        response.end(
          `${line('ai01').slice(9)}\n[1]\n${line('ai09')}\n${line(7)}\n${line('ai02').slice(0, -2)}`,
        ),
      );
    },
    async (url) => {
      const [first, ...others] = await outcomes(jointOf(url), ['ai01', 'ai02', 'ai03']);
      assert.is(first, 200);
      for (const other of others) assert.match(String(other), /^SCN402 .*no line for it/);
    },
  );
});

test('PAGE-008 each reader gets the refusal of the request, or why it broke off', async () => {
  await behind(
    (_, response) => response.writeHead(503).end('{"error":"busy"}'),
    async (url) => assert.equal(await outcomes(jointOf(url), ['ai01', 'ai02']), [503, 503]),
  );
  await behind(
    (_, response) => {
      response.write(`${JSON.stringify({ sensor: 'ai01', status: 200, body: {} })}\n`);
      setImmediate(() => response.destroy());
    },
    async (url) => {
      const [first, second] = await outcomes(jointOf(url), ['ai01', 'ai02']);
      assert.is(first, 200);
      assert.match(String(second), /^SCN406 .*broke off/);
    },
  );
});

test('PAGE-008 more sensors than the bridge takes are asked in several requests', async () => {
  const asked: number[] = [];
  await behind(
    ({ url }, response) => {
      const ids = new URL(url ?? '', 'http://bridge').searchParams.get('sensor_ids')?.split(',') ?? [];
      asked.push(ids.length);
      for (const sensor of ids) response.write(`${JSON.stringify({ sensor, status: 200, body: {} })}\n`);
      response.end();
    },
    async (url) => {
      const ids = Array.from({ length: 20 }, (_, index) => `flow-${index}`);
      assert.equal(new Set(await outcomes(jointOf(url), ids)), new Set([200]));
      assert.equal(asked.sort(), [16, 4]);
    },
  );
});

test('PAGE-008 a bridge that does not offer it is asked for each sensor alone', async () => {
  // Over a given fetch no line could be had before the last.
  for (const [offers, fetch] of [
    [undefined],
    [[]],
    [['sensors/each']],
    [['sensors/each'], globalThis.fetch],
  ] as const) {
    const asked: string[] = [];
    await behind(
      ({ url = '' }, response) => {
        asked.push(url);
        const [, id] = /sensor\/(ai\d+)/.exec(url) ?? [];
        const body = { ok: true, sensor_id: id, value: 1.5, unit: 'V', age_ms: 0 };
        response.end(JSON.stringify(id ? body : { ok: true, simulated: true, mode: 'mock', offers }));
      },
      async (firmwareUrl) => {
        const rig = new HttpRig({
          ...{ firmwareUrl, registry: new Registry(), clock: systemClock, owner: 'test', simulated: true },
          ...{
            requireReal: false,
            withoutGuard: false,
            mirror: false,
            observer,
            ...(fetch ? { fetch } : {}),
          },
        });
        await rig.preflight({ peripherals: [], sensors: [], calibrated: [], unmeasurable: [] }, always);
        const ids = ['ai01', 'ai02'];
        const reads = ids.map((id) => rig.read({ name: id, id, ownUnit: 'V', background: true }, always));
        await Promise.all(reads.map((read) => read.catch(ignore)));
        assert.equal(
          asked.slice(1),
          offers?.length && !fetch
            ? [`${path}/sensors/each?sensor_ids=ai01,ai02`]
            : ids.map((id) => `${path}/sensor/${id}`),
        );
      },
    );
  }
});

test.run();
