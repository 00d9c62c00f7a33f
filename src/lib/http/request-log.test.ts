import * as assert from 'uvu/assert';
import { startTestService } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';
import { SteppedClock } from '../clock/stepped-clock.ts';
import type { Logger } from '../log/logger.ts';
import { HttpError } from './http-error.ts';
import { RefusalLog } from './request-log.ts';
import { route } from './route.ts';

const test = suite('log of refusals');

function logged() {
  const lines: string[] = [];
  const add =
    (level: string) =>
    (message: string, fields: { count?: unknown; part?: unknown } = {}) =>
      void lines.push(`${level} ${message} ${fields.count ?? fields.part ?? ''}`.trim());
  const logger: Logger = { debug: add('debug'), info: add('info'), warn: add('warn'), error: add('error') };
  return { lines, logger };
}

test('SVC-061 the first refusal of a reason is logged as it is, the others as one line a second with their number', async () => {
  const { lines, logger } = logged();
  const clock = new SteppedClock();
  const refusals = new RefusalLog(logger, clock);
  const refuse = (reason: string) => refusals.log(reason, 'info', `GET ${reason}`, { detail: reason });
  for (let n = 0; n < 1000; n++) refuse('404 not_found');
  refuse('403 host_refused');
  assert.equal(lines.splice(0), ['info GET 404 not_found', 'info GET 403 host_refused']);
  await clock.advance(1000);
  assert.equal(lines.splice(0), ['info 999 more within 1 s: 404 not_found 999']);
  for (let n = 0; n < 5; n++) refuse('404 not_found');
  await clock.advance(1000);
  assert.equal(lines.splice(0), ['info 5 more within 1 s: 404 not_found 5']);
  await clock.advance(1000);
  refuse('404 not_found');
  assert.equal(lines.splice(0), ['info GET 404 not_found']);
});

test('SVC-061 what is counted is told when the service ends, and nothing waits after it', async () => {
  const { lines, logger } = logged();
  const clock = new SteppedClock();
  const service = await startTestService([], { clock, logger });
  for (let n = 0; n < 4; n++) await (await fetch(`${service.url}/nowhere`)).text();
  lines.splice(0);
  service.service.destroy();
  assert.equal(lines.splice(0), ['info 3 more within 1 s: 404 not_found 3']);
  await clock.advance(5000);
  assert.equal(lines, []);
});

test('SVC-061 refused requests and defects of a service are bounded, commands are not', async () => {
  const { lines, logger } = logged();
  const clock = new SteppedClock();
  const command = route({ method: 'POST', path: '/do', summary: 'does', handler: () => ({ ok: true }) });
  const defect = route({
    method: 'GET',
    path: '/defect',
    summary: 'fails',
    handler: () => {
      throw new Error('defect');
    },
  });
  const { service, url } = await startTestService([command, defect], { logger, clock });
  try {
    for (let n = 0; n < 20; n++) {
      await fetch(`${url}/no/${n}`);
      await fetch(`${url}/defect`);
      await fetch(`${url}/do`, { method: 'POST' });
    }
  } finally {
    service.destroy();
  }
  const count = (text: string) => lines.filter((line) => line.includes(text)).length;
  assert.equal(
    [count('none 404'), count('defect: defect'), count('/defect 500'), count('/do 200')],
    [1, 1, 1, 20],
  );
});

test('SVC-061 failures and defects within an answer are logged as those of requests of their own, and as bounded', async () => {
  const { lines, logger } = logged();
  const clock = new SteppedClock();
  const each = route({
    method: 'GET',
    path: '/each',
    summary: 'several at once',
    handler: ({ refusalOf }) => {
      for (let n = 0; n < 6; n++) refusalOf(new HttpError('device_timeout', 'no answer'), `AI0${n % 2}`);
      for (const name of ['a', 'b']) refusalOf(new HttpError('not_found', name), name);
      for (const name of ['AI02', 'AI03', 'AI02']) refusalOf(new TypeError(`of ${name}`), name);
      return { ok: true };
    },
  });
  const { service, url } = await startTestService([each], { logger, clock });
  try {
    await fetch(`${url}/each`);
    await clock.advance(1000);
  } finally {
    service.destroy();
  }
  assert.equal(lines, [
    'warn GET /each 504 AI00',
    'warn GET /each 504 AI01',
    'info GET /each 404 a',
    'error defect: of AI02 AI02',
    'warn GET /each 500 AI02',
    'error defect: of AI03 AI03',
    'warn GET /each 500 AI03',
    'debug GET /each 200',
    'warn 2 more within 1 s: 504 device_timeout of AI00 2',
    'warn 2 more within 1 s: 504 device_timeout of AI01 2',
    'info 1 more within 1 s: 404 not_found 1',
    'error 1 more within 1 s: defect of /each of AI02 1',
    'warn 1 more within 1 s: 500 internal_error of AI02 1',
  ]);
});

test.run();
