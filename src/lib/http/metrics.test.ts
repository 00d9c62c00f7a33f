import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { MetricRegistry } from './metrics.ts';

const test = suite('metrics');

test('SVC-007 counters, gauges and histograms carry the documented names, labels and help', async () => {
  const metrics = new MetricRegistry();
  metrics.count('svc_device_errors_total', { device: 'usb-adc-usbhid', code: 'device_timeout' });
  metrics.count('svc_device_errors_total', { device: 'usb-adc-usbhid', code: 'device_timeout' }, 2);
  metrics.set('svc_adc_volts', 0.634863, { channel: 'ai01', adapter: 'usb-adc-usbhid' });
  const labels = { service: 's', route: '/health', method: 'GET' };
  metrics.observe('svc_http_request_duration_seconds', 0.02, labels);
  const text = await metrics.render();
  const lines = text.split('\n');
  for (const line of [
    '# TYPE svc_device_errors_total counter',
    'svc_device_errors_total{device="usb-adc-usbhid",code="device_timeout"} 3',
    '# TYPE svc_adc_volts gauge',
    'svc_adc_volts{channel="ai01",adapter="usb-adc-usbhid"} 0.634863',
    '# HELP svc_adc_volts Last reading of the channel, in volts; NaN when it failed',
    '# TYPE svc_http_request_duration_seconds histogram',
    'svc_http_request_duration_seconds_bucket{le="0.01",service="s",route="/health",method="GET"} 0',
    'svc_http_request_duration_seconds_bucket{le="0.025",service="s",route="/health",method="GET"} 1',
    'svc_http_request_duration_seconds_count{service="s",route="/health",method="GET"} 1',
  ])
    assert.ok(lines.includes(line), `${line}\n${text}`);
});

test('nothing is reported that was not recorded', async () => {
  const text = await new MetricRegistry().render();
  assert.not.ok(/svc_(adc|lease|under|device|safe|http)/.test(text), text);
});

test('two services in one process do not share their metrics', async () => {
  const [first, second] = [new MetricRegistry(), new MetricRegistry()];
  first.count('svc_runs_total', { status: 'passed' });
  second.count('svc_runs_total', { status: 'failed' });
  assert.match(await first.render(), 'svc_runs_total{status="passed"} 1');
  assert.not.ok((await second.render()).includes('passed'));
});

test('label values are escaped', async () => {
  const metrics = new MetricRegistry();
  metrics.set('svc_device_up', 1, { device: 'a"b\\c\nd' });
  assert.match(await metrics.render(), 'svc_device_up{device="a\\"b\\\\c\\nd"} 1');
});

test('a label that the metric does not have is a defect, and says so', () => {
  const metrics = new MetricRegistry();
  assert.throws(() => metrics.set('svc_device_up', 1, { devise: 'x' }), /devise/);
});

test('memory and processor time of the process are reported', async () => {
  const text = await new MetricRegistry().render();
  const rss = Number(/^svc_process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]);
  assert.ok(rss > 10_000_000, text);
  assert.match(text, /^svc_process_cpu_seconds_total \d+\.\d+$/m);
});

test.run();
