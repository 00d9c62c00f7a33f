import * as assert from 'uvu/assert';
import { codesOf, eventsOf, goalOf, outcomesOf, runOn, withBridge } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('execute');

const OPEN = `
CONFIG open:
  SET valve-1 on
  SET pump 5 l/min
GOAL window:
  CHECK 0.60 <= AI01 <= 0.67 V
CONFIG close:
  SET valve-1 off
`;

test('LANG-027 B6 runs in document order, teardown last, then the safe state and the lease go', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, OPEN);
    assert.is(result.outcome, 'passed');
    assert.is(result.ok, true);
    assert.equal([result.passed, result.total], [3, 3]);
    assert.is(result.simulated, false);
    assert.equal(twin.calls, [
      'GET /health',
      'GET /api/v1/hardware/health',
      'POST /api/v1/hardware/valve/valve-1?value=true',
      'POST /api/v1/hardware/pump?power_pct=50',
      'GET /api/v1/hardware/sensor/nc-sensor',
      'POST /api/v1/hardware/valve/valve-1?value=false',
      'POST /api/v1/hardware/safe-state?reason=run_ended',
    ]);
    assert.is(twin.actuated, false);
    assert.is(twin.lease, undefined);
    const actuations = twin.requests.filter(({ path }) => /valve|pump/.test(path));
    assert.ok(actuations.every(({ lease }) => lease === 'lease-1'));
    assert.equal(
      eventsOf(result, 'safe-state').map(({ ok }) => ok),
      [true],
    );
  }));

test('LANG-027 teardown and safe state follow a failed limit, a sensor error and an actuator error', async () => {
  const cases: [name: string, code: RegExp | undefined, outcome: string, sensor: unknown][] = [
    ['failed', undefined, 'failed', 0.9],
    ['sensor', undefined, 'error', { value: null }],
    ['actuator', /pump/, 'error', 0.635],
  ];
  for (const [name, path, outcome, value] of cases)
    await withBridge(async (twin) => {
      twin.sensors['nc-sensor'] = value as number;
      if (path)
        twin.fail('POST', path, { kind: 'answer', status: 503, body: { ok: false, error: 'no device' } });
      const result = await runOn(twin, OPEN);
      assert.is(result.outcome, outcome, name);
      assert.is(goalOf(result, 'close').outcome, 'passed', name);
      assert.equal(twin.safeStates, ['call'], name);
      assert.is(twin.actuated, false, name);
    });
});

test('LANG-033 an actuator error ends the run, a sensor error only its goal', async () => {
  const source = `
GOAL a:
  SET pump 5 l/min
  CHECK AI01 <= 5 V
GOAL b:
  CHECK AI02 <= 5 V
`;
  await withBridge(async (twin) => {
    twin.fail('POST', /pump/, { kind: 'answer', status: 503, body: { ok: false, error: 'motor stalled' } });
    const result = await runOn(twin, source);
    assert.equal(outcomesOf(result), ['a error', 'b skipped']);
    assert.is(goalOf(result, 'a').message, 'pump (pump-main) rejected: motor stalled');
    assert.is(twin.count('GET', /sensor/), 0);
  });
  await withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = { value: null };
    const result = await runOn(twin, source);
    assert.equal(outcomesOf(result), ['a error', 'b passed']);
    assert.is(result.outcome, 'error');
  });
});

test('LANG-033 an error in a setup CONFIG ends the run', () =>
  withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = { value: null };
    const result = await runOn(
      twin,
      `
CONFIG setup:
  GET AI01
GOAL a:
  CHECK AI02 <= 5 V
`,
    );
    assert.equal(outcomesOf(result), ['setup error', 'a skipped']);
  }));

test('LANG-045 B9 an unknown valve: SCN221, nothing is sent, not even a health request', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, "GOAL:\n  SET NAME 'Typo'\n  SET valve-l 1\n");
    assert.is(result.outcome, 'error');
    assert.ok(codesOf(result).includes('SCN221'));
    assert.is(goalOf(result, 'Typo').attempts, 0);
    assert.equal(twin.requests, []);
    assert.equal(result.events.at(-1)?.type, 'run.end');
  }));

test('LANG-046 a valve value that is decided when it runs: SCN223, nothing is sent for it', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, "GOAL a:\n  VAR x = 'maybe'\n  SET valve-1 $x\n  CHECK AI01 <= 5 V\n");
    assert.equal(outcomesOf(result), ['a error']);
    assert.ok(codesOf(result).includes('SCN223'));
    assert.is(twin.count('POST', /valve\/valve-1/), 0);
    assert.equal(twin.safeStates, ['call']);
  }));

test('LANG-047 pump setpoints that are decided when they run are refused, never clamped', async () => {
  const cases: [value: string, code: string][] = [
    ['101 %', 'SCN224'],
    ['11 l/min', 'SCN229'],
    ['-1 l/min', 'SCN225'],
    ['5 l', 'SCN226'],
    ['5 mbar', 'SCN240'],
    ['fast', 'SCN223'],
  ];
  for (const [value, code] of cases)
    await withBridge(async (twin) => {
      const result = await runOn(twin, 'GOAL a:\n  SET pump $flow\n  CHECK AI01 <= 5 V\n', {
        variables: { flow: value },
      });
      assert.is(result.outcome, 'error', value);
      assert.ok(codesOf(result).includes(code), `${value}: ${codesOf(result)}`);
      assert.is(twin.count('POST', /hardware\/pump/), 0, value);
    });
});

test('LANG-047 a variable keeps its unit: 300 l/h is 5 l/min', () =>
  withBridge(async (twin) => {
    const options = { variables: { flow: '300 l/h' } };
    const result = await runOn(twin, 'GOAL a:\n  SET pump $flow l/min\n  CHECK AI01 <= 5 V\n', options);
    assert.is(result.outcome, 'passed');
    assert.ok(twin.calls.includes('POST /api/v1/hardware/pump?power_pct=50'));
  }));

test('LANG-047 a pump answer that confirms another power is an error and ends the run', async () => {
  for (const [confirmed, outcome] of [
    [50.2, 'passed'],
    [51, 'error'],
    [49, 'error'],
    [0, 'error'],
  ] as const)
    await withBridge(async (twin) => {
      twin.fail('POST', /power_pct=50$/, {
        kind: 'answer',
        status: 200,
        body: { ok: true, power_pct: confirmed },
      });
      const result = await runOn(twin, 'GOAL a:\n  SET pump 50 %\n  CHECK AI01 <= 5 V\n');
      assert.is(result.outcome, outcome, `${confirmed} %`);
    });
});

test('LANG-047 an unset variable in an actuator value is an error and sends nothing', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, 'GOAL a:\n  SET pump $flow l/min\n  CHECK AI01 <= 5 V\n');
    assert.equal(outcomesOf(result), ['a error']);
    assert.ok(codesOf(result).includes('SCN411'));
    assert.is(twin.count('POST', /hardware\/pump/), 0);
  }));

test('LANG-048 the lung is started with its parameters, stopped, and fed by volume', () =>
  withBridge(async (twin) => {
    const source = `
GOAL a:
  SET LUNG_STROKE_VOLUME '0.5 l'
  SET LUNG_SPEED '800 steps/s'
  SET lung start
  SET LUNG_PAUSE '200 ms'
  SET lung 2 l
  SET lung stop
  CHECK AI01 <= 5 V
`;
    const result = await runOn(twin, source);
    assert.is(result.outcome, 'passed');
    assert.equal(twin.lungStarts, [
      { steps: '500', speed: '8000000', cycles: '5', pause: '0.5' },
      { steps: '500', speed: '8000000', cycles: '4', pause: '0.2' },
    ]);
    assert.ok(twin.calls.includes('POST /api/v1/hardware/lung/stop'));
  }));

test('LANG-048 a bridge without lung: the lung service is asked, for 404 without ok only', () =>
  withBridge(async (service) => {
    const source = 'GOAL a:\n  SET lung 3\n  CHECK AI01 <= 5 V\n';
    await withBridge(async (twin) => {
      twin.fail('POST', /\/lung\?/, { kind: 'answer', status: 404, body: 'no such page' });
      service.fail('POST', /\/api\/lung/, {
        kind: 'answer',
        status: 200,
        body: { ok: true, status: 'started' },
      });
      const result = await runOn(twin, source, { lungUrl: service.url });
      assert.is(result.outcome, 'passed');
      assert.equal(
        service.requests.map(({ path, body }) => [path, body]),
        [['/api/lung', { steps: 500, speed: 10_000_000, cycles: 3, pause: 0.5 }]],
      );
    });
    service.requests.length = 0;
    await withBridge(async (twin) => {
      twin.fail('POST', /\/lung\?/, { kind: 'answer', status: 404, body: { ok: false, error: 'no lung' } });
      const result = await runOn(twin, source, { lungUrl: service.url });
      assert.is(result.outcome, 'error');
      assert.equal(service.requests, []);
    });
  }));

test('LANG-055 every form of refusal is a rejection', async () => {
  const answers: [status: number, body: unknown][] = [
    [200, { ok: false, error: 'valve stuck' }],
    [200, { ok: { success: false, message: 'valve stuck' } }],
    [200, { success: false, detail: 'valve stuck' }],
    [200, { status: 'error', message: 'valve stuck' }],
    [200, { status: 'failed', message: 'valve stuck' }],
    [200, { status: 'failure', message: 'valve stuck' }],
    [409, { error: 'valve stuck' }],
    [503, { ok: false, detail: 'valve stuck' }],
  ];
  for (const [status, body] of answers)
    await withBridge(async (twin) => {
      twin.fail('POST', /valve-1\?value=true/, { kind: 'answer', status, body });
      const result = await runOn(twin, OPEN);
      const label = JSON.stringify(body);
      assert.equal(outcomesOf(result), ['open error', 'window skipped', 'close passed'], label);
      assert.is(goalOf(result, 'open').message, 'valve-1 (valve-1) rejected: valve stuck', label);
      assert.is(twin.count('POST', /valve-1\?value=true/), 1, label);
      assert.equal(
        eventsOf(result, 'actuate').map(({ ok }) => ok),
        [false, true],
        label,
      );
    });
});

test('LANG-055 an answer that confirms nothing, or something else, is not a confirmation', async () => {
  const answers: [status: number, body: unknown][] = [
    [200, ''],
    [200, '<html>welcome</html>'],
    [200, { ok: true, value: false }],
    [200, { ok: true, value: true, verified: false }],
    [200, { ok: true, value: true, mock: true }],
    [302, ''],
  ];
  for (const [status, body] of answers)
    await withBridge(async (twin) => {
      twin.fail('POST', /valve-1\?value=true/, {
        kind: 'answer',
        status,
        body,
        headers: { location: '/health' },
      });
      const result = await runOn(twin, OPEN);
      assert.is(goalOf(result, 'open').outcome, 'error', JSON.stringify(body));
      assert.match(goalOf(result, 'open').message ?? '', /rejected: |simulated/, JSON.stringify(body));
      assert.equal(twin.safeStates, ['call']);
    });
});

test('LANG-055 an answer about another actuator, state or motion, or one that says nothing, confirms no setting', async () => {
  const source = `GOAL act:
  SET valve-1 open
  SET pump 20 %
  SET lung 2
  CHECK AI01 <= 4 V
CONFIG off:
  SET lung stop
CONFIG rest:
  SET pump 0 %
CONFIG shut:
  SET valve-1 close
`;
  const valve = /valve-1\?value=true/;
  const pump = /pump\?power_pct=20/;
  const lung = /lung\?steps/;
  const answers: [path: RegExp, body: unknown, why: RegExp][] = [
    [valve, {}, /confirms nothing/],
    [valve, { bench: true }, /confirms nothing/],
    [valve, { ok: 'true', value: true }, /ok is "true"/],
    [valve, { ok: null, value: true }, /ok is null/],
    [valve, { ok: true, valve_id: 'valve-2', value: true }, /is about valve-2/],
    [pump, { ok: true, power_pct: 20, data: { ok: false, error: 'stalled' } }, /stalled/],
    [pump, { ok: true, power_pct: 20, data: { enabled: false, duty: 0 } }, /pump is disabled/],
    [pump, { ok: true, power_pct: 20, data: { power_pct: 0 } }, /confirms 0 %/],
    [lung, { ok: true, status: 'stopped' }, /status: stopped/],
    [lung, { ok: true, status: 'started', cycles: 20 }, /confirms cycles 20, not 2/],
    [lung, { ok: true, status: 'started', steps: 5 }, /confirms steps 5, not 500/],
  ];
  for (const [path, body, why] of answers)
    await withBridge(async (twin) => {
      twin.fail('POST', path, { kind: 'answer', status: 200, body });
      const result = await runOn(twin, source);
      const label = JSON.stringify(body);
      assert.is(goalOf(result, 'act').outcome, 'error', label);
      assert.match(goalOf(result, 'act').message ?? '', why, label);
      assert.equal(twin.safeStates, ['call'], label);
    });
  for (const body of [
    { ok: true },
    { ok: { success: true } },
    { status: 'ok' },
    { ok: true, valve_id: 'VALVE_1', value: true },
    { ok: true, valve_id: 'valve-nc', value: true },
  ])
    await withBridge(async (twin) => {
      twin.fail('POST', valve, { kind: 'answer', status: 200, body });
      assert.is((await runOn(twin, source)).outcome, 'passed', JSON.stringify(body));
    });
});

test('LANG-055 an answer to a lung stop that shows a motion, or an error, is not a stop', async () => {
  const source = 'GOAL a:\n  SET lung 2\n  SET lung stop\n  CHECK AI01 <= 4 V\n';
  const answers: [body: unknown, why: RegExp | undefined][] = [
    [{ ok: true, status: 'started' }, /answer to a stop has status: started/],
    [{ ok: true, status: 'ERROR' }, /status: ERROR/],
    [{ ok: true, status: 'stopping' }, /status: stopping/],
    [{ ok: true, status: 'stopped', data: { runtime_status: { moving: true } } }, /lung is moving/],
    [{ ok: true, status: 'stopped', data: { moving: true } }, /lung is moving/],
    [{ ok: true, status: 'stopped', data: { runtime_status: { moving: null } } }, /moving: null/],
    [{ ok: true, data: { runtime_status: { moving: false } } }, undefined],
    [{ ok: true, status: 'de-energized' }, undefined],
    [{ ok: true }, undefined],
    [{ status: 'ok' }, undefined],
  ];
  for (const [body, why] of answers)
    await withBridge(async (twin) => {
      twin.fail('POST', /lung\/stop/, { kind: 'answer', status: 200, body });
      const { outcome, message } = goalOf(await runOn(twin, source), 'a');
      const label = JSON.stringify(body);
      assert.is(outcome, why ? 'error' : 'passed', label);
      if (why) assert.match(message ?? '', why, label);
    });
});

test('LANG-056 a lost connection after an actuation: one request only, the run ends, the rig is made safe', () =>
  withBridge(async (twin) => {
    twin.fail('POST', /hardware\/pump/, { kind: 'drop' });
    const result = await runOn(twin, OPEN);
    assert.is(twin.count('POST', /hardware\/pump/), 1);
    assert.equal(outcomesOf(result), ['open error', 'window skipped', 'close passed']);
    assert.ok(codesOf(result).includes('SCN406'));
    assert.equal(twin.safeStates, ['call']);
    assert.is(twin.pumpPct, 0);
  }));

test('LANG-056 no answer to an actuation: one request only', () =>
  withBridge(async (twin) => {
    twin.fail('POST', /hardware\/pump/, { kind: 'silence' });
    const result = await runOn(twin, OPEN, { timeouts: { commandMs: 150 } });
    assert.is(twin.count('POST', /hardware\/pump/), 1);
    assert.equal(outcomesOf(result), ['open error', 'window skipped', 'close passed']);
    assert.ok(codesOf(result).includes('SCN407'));
    assert.is(twin.pumpPct, 0);
  }));

test('LANG-056 a read that lost its connection is asked for once more', () =>
  withBridge(async (twin) => {
    twin.fail('GET', /sensor/, { kind: 'drop' }, 1);
    assert.is((await runOn(twin, OPEN)).outcome, 'passed');
    assert.is(twin.count('GET', /sensor/), 2);
  }));

test('the mirror repeats pump and valve states; its failure is a warning only', () =>
  withBridge(async (twin) => {
    twin.fail('PUT', /pump-main/, {
      kind: 'answer',
      status: 409,
      body: { ok: false, error: 'driver_owned' },
    });
    const result = await runOn(twin, OPEN, { mirror: true });
    assert.is(result.outcome, 'passed');
    assert.equal(twin.kept.get('valve-1'), { currentValue: false, targetValue: false });
    const warnings = eventsOf(result, 'log').filter(({ level }) => level === 'warning');
    assert.match(warnings[0]?.message ?? '', /pump-main.*driver_owned/);
  }));

test('the token goes to the bridge with every request', () =>
  withBridge(async (twin) => {
    await runOn(twin, OPEN, { token: 'secret-secret-secret' });
    assert.ok(twin.requests.every(({ authorization }) => authorization === 'Bearer secret-secret-secret'));
  }));

test('known commands that cannot run are an error in execute', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, "GOAL a:\n  DIALOG 'hello'\n  CHECK AI01 <= 5 V\n");
    assert.equal(outcomesOf(result), ['a error']);
  }));

test('sensor values by option are refused in execute mode', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, OPEN, { sensors: { AI01: 0.635 } });
    assert.is(result.outcome, 'error');
    assert.equal(twin.requests, []);
  }));

test.run();
