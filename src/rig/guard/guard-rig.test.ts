import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTwin } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { mergeConfig } from '../configuration/load-config.ts';
import { parseConfig } from '../configuration/read-file.ts';
import { GuardRig, type GuardRigOptions } from './guard-rig.ts';

const test = suite('actuators as the guard reaches them');
const onLine = (unit: number, line = 'bench:/nonexistent') =>
  `modbus-rtu, connection_params: {serial_port: "${line}", baudrate: 19200, device_id: ${unit}}`;

const rigOf = (
  pump: string,
  lung: string,
  { line, ...more }: Partial<GuardRigOptions> & { line?: string } = {},
) =>
  new GuardRig({
    config: mergeConfig(
      parseConfig(
        `plugins:
  modbus-io: {connection_type: ${onLine(1, line)}}
  pump-motor: {connection_type: ${pump}}
  lung-motor: {connection_type: ${lung}}
`,
        'svc.yaml',
      ),
      {},
    ),
    env: {},
    clock: systemClock,
    identity: () => ({ service: 'svc-guard', pid: process.pid, port: null, since: '' }),
    ...more,
  });

const served = (port: number) => `http, connection_params: {base_url: "http://127.0.0.1:${port}"}`;

test('SVC-039 a device that a running service has open is commanded at once, one that has to be opened is waited for longer', () => {
  const [quick, slow] = [
    { pump_zero: 6, lung_deenergize: 14, valves_off: 18 },
    { pump_zero: 20, lung_deenergize: 160, valves_off: 180 },
  ];
  const both = [served(1), served(2)] as const;
  assert.equal(rigOf(...both, { signOf: () => 'heard' }).headStartMs, quick);
  assert.equal(rigOf(...both, { signOf: () => 'unknown' }).headStartMs, slow);
  assert.equal(rigOf(...both).headStartMs, slow);
  assert.equal(
    rigOf(onLine(50), 'usb, connection_params: {address: "bench:/nonexistent"}').headStartMs,
    slow,
  );
  const onlyLung = rigOf(...both, { signOf: (id) => (id === 'lung-motor' ? 'heard' : 'silent') });
  assert.equal(onlyLung.headStartMs, { pump_zero: 6, lung_deenergize: 146, valves_off: 150 });
});

test('SVC-039 only own names are devices of services, not the names that every object has', async () => {
  const config = mergeConfig(parseConfig('plugins: {modbus-io: {enabled: false}}', 'svc.yaml'), {});
  const [one] = config.plugins;
  assert.ok(one);
  const connection = { type: 'http', baseUrl: 'http://127.0.0.1:1' } as const;
  const plugins = [{ ...one, id: 'constructor', enabled: true, connection }];
  const rig = rigOf(served(1), served(2), { config: { ...config, plugins } });
  assert.equal(Object.keys(rig.ready), []);
  await rig.close();
});

test('SVC-041 while the bridge is being ended services are already commanded, and what it may hold is not touched', async () => {
  const asked: string[] = [];
  const service = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.statusCode = 503;
    response.end('{}');
  });
  const folder = mkdtempSync(join(tmpdir(), 'guard-rig-'));
  const path = join(folder, 'modbus-io');
  const twin = createTwin((socket) => {
    asked.push('line');
    socket.resume();
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => twin.listen(path, resolve));
  let free = () => {};
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  const { port } = service.address() as AddressInfo;
  const rig = rigOf(served(port), served(1), { freed, line: `bench:${path}` });
  const cap = new AbortController();
  assert.equal(Object.keys(rig.ready), ['valves_off', 'valves_verify']);
  const ended = async (name: 'pump_zero' | 'valves_off') => {
    await rig.ready[name];
    await rig.steps[name](cap.signal).catch(() => {});
  };
  const [pump, valves] = [ended('pump_zero'), ended('valves_off')];
  void rig.prepare();
  await pump;
  assert.ok(asked.length > 0 && !asked.includes('line'), asked.join());
  free();
  while (!asked.includes('line')) await systemClock.sleep(5);
  cap.abort();
  await valves;
  await rig.close();
  service.close();
  twin.close();
  rmSync(folder, { recursive: true });
});

test.run();
