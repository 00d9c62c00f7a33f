import { Histogram, Registry } from 'prom-client';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { MetricRegistry } from './metrics.ts';

const test = suite('histogram of durations');

const NAME = 'svc_http_request_duration_seconds';
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

test('SVC-007 it is written as prom-client writes its own, bound by bound', async () => {
  const ours = new MetricRegistry();
  const registry = new Registry();
  const help = 'Time from the request to its answer, of a stream to its first byte';
  const labelNames = ['service', 'route', 'method'];
  const theirs = new Histogram({ name: NAME, help, labelNames, buckets: BUCKETS, registers: [registry] });
  for (const route of ['/health', '/a"b\\c']) {
    const labels = { service: 's', route, method: 'GET' };
    const observe = ours.timer(NAME, labels);
    for (const bound of [0, ...BUCKETS])
      for (const seconds of [bound, bound + 1e-9, bound * 1.5]) {
        observe(seconds);
        theirs.observe(labels, seconds);
      }
    ours.timer(NAME, labels)(0.02);
    theirs.observe(labels, 0.02);
  }
  const text = await ours.render();
  assert.is(text.slice(text.indexOf(`# HELP ${NAME}`)), await registry.metrics());
});

test('what is no duration, and a label that it does not have, are defects', () => {
  const metrics = new MetricRegistry();
  const observe = metrics.timer(NAME, { service: 's', route: '/', method: 'GET' });
  for (const seconds of [Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => observe(seconds), /is not a duration/);
  assert.throws(() => metrics.timer(NAME, { services: 's' }), /services/);
});

test('SVC-007 what is counted by a counter that was looked up once is there whenever it is asked for', async () => {
  const metrics = new MetricRegistry();
  const count = metrics.counter('svc_safe_state_total', { outcome: 'safe' });
  assert.not.ok((await metrics.render()).includes('svc_safe_state_total'), 'nothing was counted yet');
  for (const total of [1, 2, 3]) {
    count();
    assert.match(await metrics.render(), `svc_safe_state_total{outcome="safe"} ${total}\n`);
  }
  metrics.count('svc_safe_state_total', { outcome: 'safe' });
  assert.match(await metrics.render(), 'svc_safe_state_total{outcome="safe"} 4\n');
});

test.run();
