import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { Job } from '../operations/job.ts';
import { type Operation, requestOf } from '../operations/request.ts';
import { inReadingOrder, MOST_IN_A_ROW } from './reading-order.ts';

const test = suite('the order of texts');

const waiting = (kind: Operation, locale: string): { job: Job } => ({
  job: { kind, request: requestOf(kind, { image: 'a.png', file: 'p.json', locale }) },
});

test('texts of the language that is read come before those of another, each in their order, for some time', () => {
  const [polish, plain, english, british] = [
    waiting('detect', 'pl'),
    waiting('analyze', 'en'),
    waiting('diagnose', 'en'),
    waiting('adopt', 'en-GB'),
  ];
  const all = [polish, plain, english, british];
  const order = (inARow: number, language: string | undefined = 'en') =>
    inReadingOrder(all, { language, inARow });
  assert.equal(order(1), [english, british, polish, plain]);
  assert.equal(order(MOST_IN_A_ROW), all);
  assert.equal(order(1, 'pl'), all);
  assert.equal(inReadingOrder(all, { language: undefined, inARow: 0 }), all);
});

test.run();
