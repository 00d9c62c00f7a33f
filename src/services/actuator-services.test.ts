import * as assert from 'uvu/assert';
import { SteppedClock } from '../lib/clock/stepped-clock.ts';
import { mergeConfig } from '../rig/configuration/load-config.ts';
import { parseConfig } from '../rig/configuration/read-file.ts';
import { bridgeIdOf } from '../rig/hold/bridge-id.ts';
import { type DeviceServiceDefinition, startDeviceService } from '../rig/service/device-service.ts';
import { suite } from '../test-kit/suite.ts';
import { svcLung } from './lung/svc-lung.ts';
import { pumpService } from './pump/pump-service.ts';

const test = suite('the services of pump and lung');

const at = { service: 'svc-bridge', pid: 4200, port: 8202, since: '2025-01-15T10:00:00.000Z' };
const BRIDGE = { 'x-bridge-id': bridgeIdOf('bench-7/0123456789abcdef', at) };

type Body = Record<string, unknown>;
type Call = readonly [line: string, body?: object];

interface Held {
  definition: DeviceServiceDefinition;
  /** They switch on, or keep on. */
  commands: readonly Call[];
  stops: readonly Call[];
}

const READ: Call = ['GET /api/status'];
const stroke = { steps: 1_000_000, speed: 10_000_000, cycles: 1, pause: 0 };
const SERVICES: readonly Held[] = [
  {
    definition: pumpService,
    commands: [
      ['POST /api/speed', { power_pct: 20 }],
      ['POST /api/hold', { hold_s: 5 }],
    ],
    stops: [['POST /api/stop'], ['POST /api/speed', { power_pct: 0 }]],
  },
  {
    definition: svcLung,
    commands: [
      ['POST /api/lung', stroke],
      ['POST /api/energize', { enable: true }],
      ['POST /api/home', { direction: 'reverse' }],
      ['POST /api/hold', { hold_s: 5 }],
    ],
    stops: [['POST /api/stop'], ['POST /api/energize', { enable: false }]],
  },
];

/** In mock mode, on a clock that is stepped. */
async function onService(
  definition: DeviceServiceDefinition,
  yaml: string,
  work: (
    call: (call: Call, headers?: Record<string, string>) => Promise<{ status: number; body: Body }>,
    clock: SteppedClock,
  ) => Promise<void>,
): Promise<void> {
  const clock = new SteppedClock();
  const quiet = () => {};
  const running = await startDeviceService(definition, {
    env: { SVC_STATE_DIR: '/nonexistent' },
    config: mergeConfig(parseConfig(yaml, 'svc.yaml'), {}),
    bind: { host: '127.0.0.1', port: 0 },
    clock,
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  await running.open?.();
  try {
    await work(async ([line, body], headers = {}) => {
      const [method = '', path] = line.split(' ');
      const response = await fetch(`${running.url}${path}`, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Body };
    }, clock);
  } finally {
    const ended = running.shutDown('test_end');
    await clock.advance(1000);
    await ended;
  }
}

for (const { definition, commands, stops } of SERVICES) {
  test(`SVC-052 ${definition.service}: each call of a bridge holds it for 10 s; commands of others are refused, stops and readings never`, () =>
    onService(definition, '', async (call, clock) => {
      const answer = async (one: Call, headers?: Record<string, string>) => {
        const { status, body } = await call(one, headers);
        return body.code ?? status;
      };
      const stop: Call = ['POST /api/stop'];
      for (const own of [READ, stop, ...commands]) {
        assert.is(await answer(own, BRIDGE), 200, own[0]);
        for (const command of commands) assert.is(await answer(command), 'held_by_bridge', command[0]);
        for (const free of [READ, ...stops]) assert.is(await answer(free), 200, free[0]);
        await clock.advance(10_000);
        for (const command of commands) {
          assert.is(await answer(command), 200, command[0]);
          await call(stop);
        }
      }
      const garbled = { 'x-bridge-id': '{' };
      for (const command of commands)
        assert.is(await answer(command, garbled), 'invalid_parameter', command[0]);
      for (const one of stops) assert.is(await answer(one, garbled), 200, one[0]);
    }));
}

test('SVC-052 svc-lung: steps, speed and cycles beyond the limits of svc.yaml are 422, and nothing moves', () =>
  onService(svcLung, 'limits: {lung: {max_steps: 400, max_speed: 2000000, max_cycles: 3}}', async (call) => {
    const most = { steps: 400, speed: 2_000_000, cycles: 3 };
    for (const key of ['steps', 'speed', 'cycles'] as const) {
      const { status, body } = await call(['POST /api/lung', { ...most, [key]: most[key] + 1 }]);
      const range = `must be a whole number from 1 to ${most[key]} (limits.lung.max_${key} in svc.yaml)`;
      assert.equal([status, body.detail], [422, `${key}: ${range}`]);
    }
    assert.is((await call(READ)).body.moving, false);
    assert.is((await call(['POST /api/lung', most])).status, 200);
  }));

test.run();
