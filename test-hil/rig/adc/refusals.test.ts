import * as assert from 'uvu/assert';
import { exchangeBytes } from '../../../src/test-kit/http/service.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { AdcBench, type BuiltService } from './adc-bench.ts';
import type { AdcServiceName } from './adc-rig.ts';

const test = suite('the built ADC services refuse', {
  services: new Map<AdcServiceName, BuiltService>(),
  rigs: [] as AdcBench[],
});

/** A device has one owner: the stack stands on twins of its own. */
const TOGETHER: AdcServiceName[][] = [['svc-adc-usb', 'svc-adc-uart'], ['svc-adc-stack']];

test.before(async ({ services, rigs }) => {
  for (const names of TOGETHER) {
    const rig = await AdcBench.open(['usbhid', 'uart']);
    rigs.push(rig);
    for (const name of names) services.set(name, await rig.start(name));
  }
});
test.after(async ({ rigs }) => {
  for (const rig of rigs) await rig.close();
});

interface Problem {
  status: number;
  code: string;
  title: string;
  error: string;
  errors?: { in: string; field: string; message: string; value: string | null }[];
}

/** All seven members, and the same in header and body. */
function checkProblem(
  problem: Record<string, unknown>,
  { status, code, title, error, errors }: Problem,
): void {
  const type = `urn:svc:problem:${code}`;
  const seven = { type, title, status, detail: error, code, error, ok: false };
  assert.equal(problem, errors ? { ...seven, errors } : seven);
}

/** Sends what no client sends, and takes the answer apart. */
async function exchange({ url }: BuiltService, head: string, body = '') {
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const sent = `${head}\r\nConnection: close\r\n${length}\r\n${body}`;
  const received = await exchangeBytes(url, sent);
  const [headers = '', text = ''] = received.split('\r\n\r\n');
  assert.match(headers, /^content-type: application\/problem\+json$/im, received);
  assert.match(headers, /^x-request-id: \S+$/im);
  return { status: Number(headers.slice(9, 12)), headers, problem: JSON.parse(text) };
}

const CHANNELS: Record<AdcServiceName, { error: string; range: string; bad: string[] }> = {
  'svc-adc-usb': { error: 'channel must be 1, 2 or 3', range: '1..3', bad: ['0', '4', 'G1'] },
  'svc-adc-uart': { error: 'channel must be 1 or 2', range: '1..2', bad: ['0', '3', 'AIN1'] },
  'svc-adc-stack': { error: 'channel must be 1, 2 or 3', range: '1..3', bad: ['0', '4', 'ai01'] },
};

test('SVC-016 SVC-006 a channel that is none', async ({ services }) => {
  for (const [name, { call }] of services) {
    const { error, range, bad } = CHANNELS[name];
    for (const value of [...bad, '', '1.5', '01', '+1', '-1', '1e0', '1 ', '１']) {
      const { status, headers, body } = await call(`/api/v1/adc/${encodeURIComponent(value)}`);
      assert.is(headers.get('content-type'), 'application/problem+json');
      assert.is(status, 422, `${name} ${value}`);
      const errors = [{ in: 'path', field: 'n', message: `must be ${range}`, value }];
      checkProblem(body as Record<string, unknown>, {
        status,
        code: 'invalid_channel',
        title: 'Invalid channel',
        error,
        errors,
      });
    }
    const broken = await call('/api/v1/adc/%zz');
    checkProblem(broken.body as Record<string, unknown>, {
      status: 422,
      code: 'invalid_parameter',
      title: 'Invalid parameter',
      error: 'n is not valid percent-encoding',
      errors: [{ in: 'path', field: 'n', message: 'is not valid percent-encoding', value: '%zz' }],
    });
  }
});

const SAMPLES = 'must be a whole number from 1 to 10000';

test('SVC-020 SVC-006 a number of samples that is none', async ({ services }) => {
  for (const [name, { call }] of services)
    for (const path of ['/api/v1/adc', '/api/v1/adc/1'])
      for (const value of ['0', '-1', '10001', '1.5', 'ten', '', ' ', '0x10', 'NaN', 'Infinity', '1e999']) {
        const { status, body } = await call(`${path}?samples=${encodeURIComponent(value)}`);
        assert.is(status, 422, `${name} ${value}`);
        checkProblem(body as Record<string, unknown>, {
          ...{ status, code: 'invalid_parameter', title: 'Invalid parameter', error: `samples: ${SAMPLES}` },
          errors: [{ in: 'query', field: 'samples', message: SAMPLES, value }],
        });
      }
});

test('SVC-020 samples that would take more than 30 s, with the largest number that does not', async ({
  services,
}) => {
  for (const [name, path, samples, seconds, largest] of [
    ['svc-adc-stack', '/api/v1/adc', 301, 30.1, 300],
    ['svc-adc-stack', '/api/v1/adc/3', 601, 30.05, 600],
    ['svc-adc-uart', '/api/v1/adc', 10_000, 1000, 300],
    ['svc-adc-uart', '/api/v1/adc/1', 601, 30.05, 600],
  ] as const) {
    const { status, body } = (await services.get(name)?.call(`${path}?samples=${samples}`)) ?? {};
    assert.is(status, 422, `${name} ${path}`);
    const { largest_samples: told, ...problem } = body as Record<string, unknown>;
    assert.is(told, largest);
    checkProblem(problem, {
      status: 422,
      code: 'sample_budget_exceeded',
      title: 'Sample budget exceeded',
      error: `${samples} samples would take ${seconds} s, more than 30 s; the largest number here is ${largest}`,
      errors: [{ in: 'query', field: 'samples', message: `must be 1..${largest}`, value: String(samples) }],
    });
  }
});

test('SVC-006 a key that is given more than once, known or not, with equal values or not', async ({
  services,
}) => {
  for (const [name, { call }] of services)
    for (const [query, key, value] of [
      ['samples=1&samples=2', 'samples', '2'],
      ['samples=1&samples=1', 'samples', '1'],
      ['s%61mples=1&samples=3', 'samples', '3'],
      ['max_age_ms=5&samples=1&max_age_ms=6', 'max_age_ms', '6'],
      ['unknown=a&unknown=b', 'unknown', 'b'],
      ['__proto__=a&__proto__=b', '__proto__', 'b'],
    ] as const) {
      const { status, body } = await call(`/api/v1/adc?${query}`);
      assert.is(status, 422, `${name} ${query}`);
      assert.is(
        (await call('/api/v1/adc?unknown=a')).status,
        200,
        'reading routes ignore what they do not know',
      );
      checkProblem(body as Record<string, unknown>, {
        status,
        code: 'invalid_parameter',
        title: 'Invalid parameter',
        error: `query key given more than once: ${key}; send it once`,
        errors: [{ in: 'query', field: key, message: 'is given more than once', value }],
      });
    }
});

const UNSUPPORTED = 'is not taken; send application/json';
const BODIES: [type: string, body: string, problem: Problem][] = [
  [
    'application/json',
    '{',
    { status: 400, code: 'invalid_json', title: 'Invalid JSON', error: 'body is not valid JSON' },
  ],
  [
    'text/plain',
    'hello',
    {
      status: 415,
      code: 'unsupported_media_type',
      title: 'Unsupported media type',
      error: `content type "text/plain" ${UNSUPPORTED}`,
    },
  ],
  [
    'application/json',
    'x'.repeat(65_537),
    {
      status: 413,
      code: 'payload_too_large',
      title: 'Payload too large',
      error: 'body is larger than 65536 bytes (SVC_MAX_BODY_BYTES)',
    },
  ],
  [
    'application/json',
    '{"volts":1}',
    {
      ...{
        status: 422,
        code: 'invalid_parameter',
        title: 'Invalid parameter',
        error: 'volts: is not known here',
      },
      errors: [{ in: 'body', field: 'volts', message: 'is not known here', value: '1' }],
    },
  ],
];

test('SVC-005 SVC-006 a body that is too large, of another type, malformed, or has members', async ({
  services,
}) => {
  for (const [name, service] of services) {
    // Known to be good without a body: what the service remembers of it must not let a body pass.
    assert.is((await service.call('/api/v1/adc')).status, 200);
    for (const [type, body, problem] of BODIES) {
      const head = `GET /api/v1/adc HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}`;
      const answer = await exchange(service, head, body);
      assert.is(answer.status, problem.status, `${name} ${body.slice(0, 20)}`);
      checkProblem(answer.problem, problem);
    }
  }
});

test('SVC-005 SVC-006 another method, with what is allowed; and a path that is none', async ({
  services,
}) => {
  for (const [name, { call }] of services) {
    for (const path of ['/api/v1/adc', '/api/v1/adc/1', '/health', '/metrics', '/openapi.json'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, headers, body } = await call(path, { method });
        assert.equal([status, headers.get('allow')], [405, 'GET, HEAD'], `${name} ${method} ${path}`);
        checkProblem(body as Record<string, unknown>, {
          status,
          code: 'method_not_allowed',
          title: 'Method not allowed',
          error: `${method} is not allowed on ${path}; use GET, HEAD`,
        });
      }
    const large = await call('/api/v1/adc', { method: 'POST', body: 'x'.repeat(70_000) });
    assert.is(large.status, 405, 'the method is refused before its body is read');
    for (const path of ['/', '/api/v2/adc', '/api/v1/adc/1/2', '/api/v1/i2c']) {
      const { status, body } = await call(`${path}?x=1`);
      const error = `no such path: ${path}`;
      checkProblem(body as Record<string, unknown>, {
        status: 404,
        code: 'not_found',
        title: 'Not found',
        error,
      });
      assert.is(status, 404);
    }
  }
});

test('SVC-004 SVC-006 a foreign Host, none, a foreign Origin, and what is no HTTP', async ({ services }) => {
  const refused = { status: 403, code: 'host_refused', title: 'Host refused' };
  const hostHint = 'is not this machine; add it to SVC_ALLOWED_HOSTS to allow it';
  for (const [name, service] of services)
    for (const [head, problem] of [
      ['Host: evil.example', { ...refused, error: `Host "evil.example" ${hostHint}` }],
      ['X-None: 1', { ...refused, error: `Host "" ${hostHint}` }],
      [
        'Host: localhost\r\nOrigin: http://evil.example',
        {
          status: 403,
          code: 'origin_refused',
          title: 'Origin refused',
          error:
            'Origin "http://evil.example" is not this service; add it to SVC_ALLOWED_ORIGINS to allow it',
        },
      ],
      [
        'open the valve',
        {
          status: 400,
          code: 'invalid_request',
          title: 'Invalid request',
          error: 'the request is not valid HTTP/1.1',
        },
      ],
    ] as const) {
      const answer = await exchange(service, `GET /api/v1/adc/1 HTTP/1.1\r\n${head}`);
      assert.is(answer.status, problem.status, `${name} ${head}`);
      checkProblem(answer.problem, problem);
      assert.not.match(answer.headers, /access-control-allow-origin/i);
    }
});

test.run();
