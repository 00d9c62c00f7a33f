import { execFileSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { codesOf, eventsOf, outcomesOf, runOn, withBridge } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import { shellLine } from './shell-quote.ts';

const test = suite('api');

const goal = (...lines: string[]): string => `GOAL: a\n${lines.map((line) => `  ${line}\n`).join('')}`;

test('LANG-059 B5 on a mock bridge: ASSERT_JSON failed, actual mock', () =>
  withBridge(
    async (twin) => {
      const source = goal(
        "API_GET '/api/v1/hardware/health'",
        'ASSERT_STATUS 200',
        "ASSERT_JSON 'mode' 'real'",
      );
      const result = await runOn(twin, source);
      assert.is(result.outcome, 'failed');
      const checks = eventsOf(result, 'check');
      assert.equal(
        checks.map(({ outcome, actual }) => [outcome, actual]),
        [
          ['passed', 200],
          ['failed', 'mock'],
        ],
      );
      assert.is(result.simulated, true);
    },
    { mode: 'mock' },
  ));

test('LANG-059 paths go to their service: bridge, API server; other methods carry lease and body', () =>
  withBridge((server) =>
    withBridge(async (twin) => {
      server.fail('GET', /scenarios/, {
        kind: 'answer',
        status: 200,
        body: { count: 2, list: [{ id: 'x' }] },
      });
      server.fail('DELETE', /scenarios/, { kind: 'answer', status: 409, body: { ok: false } });
      const source = goal(
        'API_GET /api/scenarios',
        'ASSERT_JSON count >= 2',
        'ASSERT_JSON list.0.id x',
        'API_DELETE /api/scenarios/x',
        'ASSERT_STATUS 409',
        'API_PUT /api/v1/peripherals/lamp-1 \'{"currentValue":1,"targetValue":1}\'',
        'ASSERT_STATUS 200',
        'API_GET /health',
        'ASSERT_JSON mode real',
      );
      const result = await runOn(twin, source, { serverUrl: server.url });
      assert.is(result.outcome, 'passed', JSON.stringify(result.diagnostics));
      assert.equal(twin.kept.get('lamp-1'), { currentValue: 1, targetValue: 1 });
      assert.is(twin.requests.find(({ method }) => method === 'PUT')?.lease, 'lease-1');
      assert.equal(
        server.requests.map(({ method, path }) => `${method} ${path}`),
        ['GET /api/scenarios', 'DELETE /api/scenarios/x'],
      );
    }),
  ));

test('LANG-059 foreign hosts are refused: absolute, //, .., backslash, also when a variable says so', () =>
  withBridge((foreign) =>
    withBridge(async (twin) => {
      const host = foreign.url.slice('http:'.length);
      for (const path of [
        foreign.url,
        `${foreign.url}/api/v1/state`,
        host,
        `/api/v1/../..${host}`,
        '/api\\v1',
        '/etc',
      ]) {
        const result = await runOn(twin, goal('API_GET $where'), { variables: { where: path } });
        assert.is(result.outcome, 'error', path);
        assert.ok(codesOf(result).includes('SCN260'), path);
      }
      assert.equal(foreign.requests, []);
    }),
  ));

test('LANG-059 a redirect to another host is refused, one on the same host is followed', () =>
  withBridge((foreign) =>
    withBridge(async (twin) => {
      const redirect = (location: string) =>
        ({ kind: 'answer', status: 302, body: '', headers: { location } }) as const;
      twin.fail('GET', /\/api\/v1\/state/, redirect(`${foreign.url}/health`), 1);
      const refused = await runOn(twin, goal('API_GET /api/v1/state', 'ASSERT_STATUS 200'));
      assert.is(refused.outcome, 'error');
      assert.ok(codesOf(refused).includes('SCN260'));
      assert.equal(foreign.requests, []);
      twin.fail('GET', /\/api\/v1\/state/, redirect('/health'), 1);
      const followed = await runOn(
        twin,
        goal('API_GET /api/v1/state', 'ASSERT_STATUS 200', 'ASSERT_JSON status ok'),
      );
      assert.is(followed.outcome, 'passed');
    }),
  ));

test('LANG-059 ASSERT_JSON: each operator, coercion, missing keys fail', () =>
  withBridge(async (twin) => {
    const body = { n: 5, s: '5.0', b: true, t: 'real', l: [1, 'two'], o: { k: null } };
    twin.fail('GET', /\/api\/v1\/state/, { kind: 'answer', status: 200, body });
    const good = [
      'n 5',
      'n == 5.0',
      's = 5',
      'b true',
      'b != false',
      't contains ea',
      'l contains two',
      'n > 4',
      'n <= 5',
      'l.1 two',
      'o.k null',
      'n < 6',
      'n >= 5',
    ];
    const bad = [
      'n 6',
      'x 5',
      'x != 5',
      'l.2 1',
      'b false',
      't fake',
      't > 3',
      'o.k.z 1',
      'n != 5',
      'l.length 2',
    ];
    const lines = [...good, ...bad].map((line) => `ASSERT_JSON ${line}`);
    const result = await runOn(twin, goal('API_GET /api/v1/state', ...lines));
    assert.equal(
      eventsOf(result, 'check').map(({ outcome }, index) => `${[...good, ...bad][index]} ${outcome}`),
      [...good.map((line) => `${line} passed`), ...bad.map((line) => `${line} failed`)],
    );
  }));

test('LANG-059 ASSERT_JSON contains with a variable that is empty is an error, for every text contains it', () =>
  withBridge(async (twin) => {
    twin.fail('GET', /\/api\/v1\/state/, { kind: 'answer', status: 200, body: { mode: 'mock' } });
    const source = goal("SET part ''", 'API_GET /api/v1/state', "ASSERT_JSON mode contains '$part'");
    const result = await runOn(twin, source);
    assert.equal(outcomesOf(result), ['a error']);
    assert.match(result.diagnostics.map(({ message }) => message).join(), /\$part.*empty/);
  }));

test('LANG-059 an assertion without an answer is an error, also after a call that failed', () =>
  withBridge(async (twin) => {
    assert.is((await runOn(twin, goal('ASSERT_STATUS 200'))).outcome, 'error');
    twin.fail('GET', /\/api\/v1\/state/, { kind: 'drop' });
    const source = `GOAL: good\n  API_GET /health\n${goal('API_GET /api/v1/state')}GOAL: b\n  ASSERT_STATUS 200\n`;
    assert.equal(outcomesOf(await runOn(twin, source)), ['good passed', 'a error', 'b error']);
  }));

test('LANG-059 a POST whose answer is lost ends the run, for it may have moved something', () =>
  withBridge(async (twin) => {
    twin.fail('POST', /hardware\/pump/, { kind: 'drop' });
    const source = "GOAL: a\n  API_POST '/api/v1/hardware/pump?power_pct=20'\nGOAL: b\n  CHECK AI01 <= 5 V\n";
    const result = await runOn(twin, source);
    assert.equal(outcomesOf(result), ['a error', 'b skipped']);
    assert.is(twin.count('POST', /hardware\/pump/), 1);
    assert.is(twin.pumpPct, 0);
  }));

test('LANG-059 EXPECT_: device by node and by link, bus, chip; false is failed, no lists are an error', () =>
  withBridge(async (twin) => {
    const link = '/dev/serial/by-id/usb-1a86-if00';
    const ids = { by_id: link, by_path: null, shared_by_id: null, vid: '1a86', pid: '55d3' };
    twin.identity = {
      serial_ports: [{ device: '/dev/ttyACM1', ...ids, chip: 'CH343', kind: 'serial' }],
      usb_devices: [],
      i2c_buses: [{ bus: 1, path: '/dev/i2c-1', chips: [{ address: '0x48', name: 'ADS1115' }] }],
    };
    const lines = [
      "EXPECT_DEVICE '/dev/ttyACM1' 'CH343' 'serial'",
      `EXPECT_DEVICE '${link}' 'ch343'`,
      "EXPECT_I2C_BUS '/dev/i2c-1'",
      "EXPECT_I2C_CHIP '0x48' 'ADS1115'",
      "EXPECT_DEVICE '/dev/ttyACM1' 'CH340' 'serial'",
      "EXPECT_DEVICE '/dev/ttyACM2' 'CH343' 'serial'",
      "EXPECT_I2C_BUS '/dev/i2c-2'",
      "EXPECT_I2C_CHIP '0x49' 'ADS1115'",
    ];
    const result = await runOn(twin, goal(...lines));
    const outcomes = eventsOf(result, 'check').map(({ outcome }) => outcome);
    assert.equal(outcomes, [...Array(4).fill('passed'), ...Array(4).fill('failed')]);
    assert.ok(twin.calls.includes('GET /api/v1/hardware/identify?scan=never'));
    twin.fail('GET', /identify/, { kind: 'answer', status: 200, body: { mode: 'real' } });
    assert.is((await runOn(twin, goal(lines[0]!))).outcome, 'error');
  }));

test('LANG-059 ASSERT_VALVE reads the state; an unknown state is no closed valve', () =>
  withBridge(async (twin) => {
    const source = goal('SET valve-1 on', 'ASSERT_VALVE valve-1 true', 'ASSERT_VALVE valve-2 true');
    const result = await runOn(twin, source);
    assert.equal(
      eventsOf(result, 'check').map(({ outcome, actual }) => [outcome, actual]),
      [
        ['passed', true],
        ['failed', false],
      ],
    );
    for (const entry of [
      { currentValue: null, status: 'ok' },
      { currentValue: false, status: 'error', error: 'no answer' },
      undefined,
    ]) {
      twin.fail('GET', /state/, { kind: 'answer', status: 200, body: { valve_1: entry } }, 1);
      const unknown = await runOn(twin, goal('ASSERT_VALVE valve-1 false'));
      assert.is(unknown.outcome, 'error', JSON.stringify(entry));
    }
  }));

test('LANG-059 ASSERT_SENSOR reads fresh and judges volts', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, goal('ASSERT_SENSOR AI01 >= 0.6 V', 'ASSERT_SENSOR AI01 > 0.7 V'));
    assert.equal(
      eventsOf(result, 'check').map(({ outcome }) => outcome),
      ['passed', 'failed'],
    );
    assert.is(twin.count('GET', /sensor/), 2);
  }));

test('LANG-060 SHELL_EXPORT: values of the run, quoted so that no shell runs them', () =>
  withBridge(async (twin) => {
    const source = goal(
      'API_GET /health',
      'SAVE_JSON health',
      'GET AI01',
      'SAVE volts',
      "SHELL_EXPORT RIG_VOLTS '$volts V'",
      'SHELL_EXPORT EVIL $evil',
      'CHECK AI01 <= 5 V',
    );
    const evil = "it's $(rm -rf /) `x`";
    const result = await runOn(twin, source, { variables: { evil } });
    assert.equal(result.exports, { RIG_VOLTS: '0.635 V', EVIL: evil });
    assert.match(JSON.stringify(result.variables.health?.value), /"mode":"real"/);
    assert.is(shellLine('EVIL', evil), "EVIL='it'\\''s $(rm -rf /) `x`'");
    const script = `${shellLine('EVIL', evil)}\nprintf %s "$EVIL"`;
    assert.is(execFileSync('sh', ['-c', script], { encoding: 'utf8' }), evil);
  }));

test('LANG-060 a name that is not a shell variable is refused when it is decided at run time', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, goal("SHELL_EXPORT $name 'x'"), { variables: { name: 'A;rm' } });
    assert.is(result.outcome, 'error');
    assert.ok(codesOf(result).includes('SCN262'));
  }));

test.run();
