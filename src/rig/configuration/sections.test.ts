import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { parseConfig } from './read-file.ts';
import { configStamp, serviceHash } from './sections.ts';

const test = suite('hash of the configuration');
const hash = (yaml: string, service = 'svc-bridge') => serviceHash(parseConfig(yaml, 'svc.yaml'), service);

const LIMITS = 'limits: { pump: { max_power_pct: 10 } }\naliases: { a: valve-1, b: valve-2 }\n';

test('SVC-067 comments, order and ways of writing do not count, values do', () => {
  const other = '# why\naliases:\n  b: valve-2\n  a: "valve-1"\nlimits:\n  pump:\n    max_power_pct: 10\n';
  assert.is(hash(LIMITS), hash(other));
  assert.is.not(hash(LIMITS), hash(LIMITS.replace('10', '11')));
  assert.is.not(hash(LIMITS), hash(LIMITS.replace('valve-2', 'valve-3')));
  assert.is.not(hash('interlocks: []'), hash(LIMITS));
});

test('SVC-067 a change counts for the services that read its section', () => {
  const calibration =
    'sensors: { ai01: { calibration: { id: c, unit: mbar, kind: linear, scale: 1, offset: 0 } } }';
  for (const service of ['svc-bridge', 'svc-guard', 'svc-server', 'svc-adc-stack'])
    assert.is(hash(calibration, service), hash('', service), service);
  for (const service of ['svc-bridge', 'svc-guard', 'svc-pump', 'svc-lung'])
    assert.is.not(hash(LIMITS, service), hash('', service), service);
  for (const service of ['svc-window', 'svc-adc-usb', 'svc-server'])
    assert.is(hash(LIMITS, service), hash('', service), service);
});

test('SVC-067 the stamp names file and time; without a file it stands for the defaults', () => {
  const file = parseConfig('', 'svc.yaml');
  const stamp = configStamp({ file, path: undefined }, 'svc-bridge', 0);
  assert.equal(stamp, { file: null, sha256: hash(''), loaded_at: '1970-01-01T00:00:00.000Z' });
});

test.run();
