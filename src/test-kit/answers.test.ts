import { existsSync } from 'node:fs';
import process from 'node:process';
import * as assert from 'uvu/assert';
import * as z from 'zod';
import { answersFile, MARK_VARIABLE } from '../lib/http/answer-tap.ts';
import { json, text } from '../lib/http/reply.ts';
import { type Route, route } from '../lib/http/route.ts';
import { answerFaults } from './answers.ts';
import { startTestService } from './http/service.ts';
import { suite } from './suite.ts';

const test = suite('answers below a test');

/** Faults of what a service with one route answers, as the runner would find them. */
function faultsOf(answer: unknown, more: Partial<Parameters<typeof route>[0]> = {}): Promise<string[]> {
  return faultsOfRoute(
    route({
      method: 'GET',
      path: '/item/:id',
      summary: 'item',
      answer: z.object({ volts: z.number(), at: z.string().optional() }),
      ...more,
      handler: () => answer as never,
    }),
  );
}

async function faultsOfRoute(one: Route, service = 'svc-test'): Promise<string[]> {
  const own = process.env[MARK_VARIABLE];
  const mark = `${process.pid}-${Math.floor(performance.now() * 1000)}`;
  process.env[MARK_VARIABLE] = mark;
  const started = await startTestService([one], { service });
  process.env[MARK_VARIABLE] = own;
  await (await fetch(`${started.url}/item/1`)).text();
  started.service.destroy();
  const faults = answerFaults(mark);
  assert.not.ok(existsSync(answersFile(mark)));
  return faults;
}

test('SVC-062 an answer as described is no fault', async () => {
  assert.equal(await faultsOf({ volts: 1 }), []);
  assert.equal(await faultsOf(json(null, 204), { answerStatus: [200, 204] }), []);
});

test('SVC-062 a member that is not described, is missing or is of another type is a fault', async () => {
  const [extra = ''] = await faultsOf({ volts: 1, other: 2 });
  assert.match(extra, /^GET \/item\/{id} answered 200: .*additional properties.*"other"/);
  assert.match((await faultsOf({}))[0] ?? '', /required property 'volts'/);
  assert.match((await faultsOf({ volts: '1' }))[0] ?? '', /\/volts must be number/);
});

test('SVC-062 a status or a media type that is not described is a fault', async () => {
  assert.match((await faultsOf(json({ volts: 1 }, 201)))[0] ?? '', /answered 201: this status is not/);
  assert.match((await faultsOf(text('1', 'text/plain')))[0] ?? '', /the type text\/plain is not described/);
});

test('SVC-062 a good answer without a type is a fault of every service but those of tests', async () => {
  const untyped = route({ method: 'GET', path: '/item/:id', summary: 'item', handler: () => ({ ok: true }) });
  assert.equal(await faultsOfRoute(untyped), []);
  assert.equal(await faultsOfRoute(untyped, 'svc-other'), [
    'svc-other: the answer 200 of GET /item/{id} has no type',
  ]);
});

test.run();
