import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { end, launch } from '../bench/program.ts';
import { type AdcServiceName, getJson, onAdcRig, untilStatus } from './adc-rig.ts';

const test = suite('the ADC services as programs');

const SERVICES: readonly [AdcServiceName, string, number][] = [
  ['svc-adc-usb', 'SVC_ADC_USB', 8212],
  ['svc-adc-uart', 'SVC_ADC_UART', 8213],
  ['svc-adc-stack', 'SVC_ADC_STACK', 8214],
];

test('SVC-001 the default port and 127.0.0.1 are shown by --help; --port beats the variable', async () => {
  for (const [name, prefix, port] of SERVICES) {
    const { code, stdout } = await launch(name, ['--help']).ended;
    assert.is(code, 0);
    assert.match(stdout, `${prefix}_PORT (default: ${port})`);
    assert.match(stdout, `${prefix}_HOST (default: 127.0.0.1)`);
  }
  await onAdcRig(async (rig) => {
    const usb = await rig.start('svc-adc-usb', { SVC_ADC_USB_PORT: '1', SVC_ADC_USB_HOST: '' });
    assert.match(usb.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.is.not(new URL(usb.url).port, '1');
  });
});

test('a bad value ends with 2 and one line that names variable, value and remedy', async () => {
  const cases: [AdcServiceName, string[], Record<string, string>, string[]][] = [
    ['svc-adc-usb', ['--port', 'many'], {}, ['--port "many"', '0 to 65535']],
    ['svc-adc-usb', ['--prot', '1'], {}, ["unknown option '--prot'"]],
    ['svc-adc-usb', ['extra'], {}, ['too many arguments']],
    ['svc-adc-usb', [], { SVC_ADC_USB_PORT: '70000' }, ['SVC_ADC_USB_PORT "70000"']],
    ['svc-adc-usb', ['--host', '0.0.0.0'], {}, ['SVC_API_TOKEN is not set']],
    ['svc-adc-uart', ['--host', '::'], {}, ['SVC_API_TOKEN is not set']],
    ['svc-adc-stack', ['--host', '0.0.0.0'], { SVC_API_TOKEN: 'short' }, ['16 or more']],
    ['svc-adc-usb', [], { USBADC_REFERENCE_VOLTAGE: '9' }, ['USBADC_REFERENCE_VOLTAGE', '9', '5.5']],
    ['svc-adc-usb', [], { USBADC_BACKEND: 'x' }, ['USBADC_BACKEND = "x"', 'hidraw']],
    ['svc-adc-uart', [], { UARTADC_BAUDRATE: '19200' }, ['UARTADC_BAUDRATE = "19200"', '9600']],
    ['svc-adc-stack', [], { UARTADC_BAUDRATE: '19200' }, ['UARTADC_BAUDRATE = "19200"', '9600']],
    [
      'svc-adc-stack',
      [],
      { BANK_ADC_CHANNEL_MAP: '{"ai01":3}', BANK_ADC_URL: 'http://x' },
      ['BANK_ADC_CHANNEL_MAP', 'ai01 is 3'],
    ],
    ['svc-adc-stack', [], { BANK_ADC_CHANNEL_MAP: '{"ai01":0}' }, ['BANK_ADC_URL is not set']],
    ['svc-adc-stack', [], { BANK_ADC_CHANNEL_MAP: 'ai01' }, ['BANK_ADC_CHANNEL_MAP', 'is not JSON']],
    ['svc-adc-usb', [], { SVC_CONFIG_PATH: '/nonexistent.yaml' }, ['/nonexistent.yaml', 'no such file']],
    ['svc-adc-usb', [], { SVC_HARDWARE_MODE: 'reel' }, ['must be mock or real']],
    ['svc-adc-usb', [], { SVC_LOG_LEVEL: 'loud' }, ['SVC_LOG_LEVEL']],
  ];
  const results = await Promise.all(
    cases.map(async ([name, args, env, parts]) => ({
      ended: await launch(name, args, {
        SVC_CONFIG_PATH: '/dev/null',
        ...env,
      }).ended,
      name,
      parts,
    })),
  );
  for (const { ended, name, parts } of results) {
    const { code, stdout, stderr } = ended;
    assert.is(code, 2, `${parts}: ${stderr}`);
    assert.is(stdout, '');
    assert.is(stderr.trim().split('\n').length, 1, stderr);
    assert.ok(stderr.startsWith(`${name}: `), stderr);
    for (const part of parts) assert.ok(stderr.includes(part), `${stderr} | ${part}`);
  }
});

test('SVC-048 an unknown plugin key in svc.yaml is an error with its path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'adc-yaml-'));
  try {
    const yaml = join(folder, 'svc.yaml');
    writeFileSync(yaml, 'plugins: { modbus-io: { conection_type: http } }\n');
    const { code, stderr } = await launch('svc-adc-stack', ['--port', '0'], { SVC_CONFIG_PATH: yaml }).ended;
    assert.is(code, 2);
    assert.match(stderr, 'plugins.modbus-io.conection_type');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a port that is in use ends with 75, names it, and leaves no lock behind', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await onAdcRig(async (rig) => {
    const { code, stderr } = await rig.launch('svc-adc-stack', ['--port', String(port)]).ended;
    assert.is(code, 75);
    assert.match(stderr, `svc-adc-stack: 127.0.0.1:${port} is in use`);
    await rig.start('svc-adc-stack');
  });
  other.close();
});

test('SIGTERM and SIGINT end each service with 0 within 2 s, also in the middle of a long series', () =>
  onAdcRig(async (rig) => {
    for (const [name] of SERVICES) {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        const service = await rig.start(name);
        await untilStatus(`${service.url}/api/v1/adc/1`, 200);
        const long = fetch(`${service.url}/api/v1/adc?samples=250`).then(
          ({ status }) => status,
          () => 'hung up',
        );
        await untilBusy(service.url);
        const { code, stderr } = await end(service, signal);
        // After 1.8 s it ends itself, with 1.
        assert.is(code, 0, `${name} ${signal}: ${stderr}`);
        assert.ok([503, 'hung up'].includes(await long), String(await long));
      }
    }
    assert.is(await rig.hidClients(), 0);
  }));

test('an uncaught error is logged and ends with 1', () =>
  onAdcRig(async (rig) => {
    for (const fault of ['throw new Error("boom")', 'Promise.reject(new Error("boom"))']) {
      const script = `process.on("SIGUSR2",()=>{${fault}})`;
      const service = await rig.start('svc-adc-usb', {
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}`,
      });
      service.child.kill('SIGUSR2');
      const { code, stderr } = await service.ended;
      assert.is(code, 1);
      assert.match(stderr, 'boom');
      assert.match(stderr, /uncaught_exception|unhandled_rejection/);
    }
  }));

test('SVC-003 with a token readings need it, /health does not', () =>
  onAdcRig(async (rig) => {
    const token = 'sixteen-or-more-characters';
    const { url } = await rig.start('svc-adc-usb', { SVC_API_TOKEN: token });
    assert.is((await fetch(`${url}/health`)).status, 200);
    const refused = await fetch(`${url}/api/v1/adc/1`);
    assert.is(refused.status, 401);
    assert.is(((await refused.json()) as { code: string }).code, 'unauthorized');
    const headers = { authorization: `Bearer ${token}` };
    while ((await fetch(`${url}/api/v1/adc/1`, { headers })).status !== 200);
  }));

test('SVC-002 a wide bind with SVC_ALLOW_INSECURE=1 says so in /health', () =>
  onAdcRig(async (rig) => {
    const program = rig.launch('svc-adc-uart', ['--port', '0', '--host', '0.0.0.0'], {
      SVC_ALLOW_INSECURE: '1',
    });
    await program.until('"ready":true');
    const line =
      program
        .text()
        .split('\n')
        .find((one) => one.includes('"ready":true')) ?? '';
    const { port } = JSON.parse(line) as { port: number };
    const health = (await getJson(`http://127.0.0.1:${port}/health`)) as { insecure?: boolean };
    assert.is(health.insecure, true);
  }));

test('SVC-005 SVC-006 SVC-007 the common rules hold on each built service', () =>
  onAdcRig(async (rig) => {
    const running = await Promise.all([rig.start('svc-adc-usb'), rig.start('svc-adc-uart')]);
    const [usb, uart] = running;
    for (const { url } of running) {
      const wrong = await fetch(`${url}/api/v1/adc`, { method: 'DELETE' });
      assert.is(wrong.status, 405);
      assert.is(wrong.headers.get('allow'), 'GET, HEAD');
      const unknown = await fetch(`${url}/api/v1/nothing`);
      assert.is(unknown.status, 404);
      const problem = (await unknown.json()) as Record<string, unknown>;
      for (const member of ['type', 'title', 'status', 'detail', 'code', 'error', 'ok'])
        assert.ok(member in problem, member);
      const api = (await getJson(`${url}/openapi.json`)) as {
        openapi: string;
        paths: Record<string, unknown>;
      };
      assert.is(api.openapi, '3.1.0');
      assert.ok('/api/v1/adc/{n}' in api.paths);
      assert.match(await (await fetch(`${url}/metrics`)).text(), 'svc_http_requests_total');
      const head = await fetch(`${url}/api/v1/device`, { method: 'HEAD' });
      assert.is(head.status, 200);
    }
    assert.ok(usb && uart);
  }));

test('SVC-010 in mock mode the stack reads its devices all the same', () =>
  onAdcRig(async (rig) => {
    const { url } = await rig.start('svc-adc-stack', { SVC_HARDWARE_MODE: 'mock' });
    await rig.turn('usbhid', { g1_v: 1.65 });
    await untilStatus(`${url}/api/v1/adc/1`, 200);
    const { reading } = (await getJson(`${url}/api/v1/adc/1`)) as { reading: Record<string, unknown> };
    assert.equal([reading.raw_10bit, reading.simulated, reading.bench], [512, false, true]);
  }));

/** Resolves when the series has begun: a single reading comes through, and the series goes on. */
async function untilBusy(url: string): Promise<void> {
  await untilStatus(`${url}/api/v1/adc/1`, 200);
}

test.run();
