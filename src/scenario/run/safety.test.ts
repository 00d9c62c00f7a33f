import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { BridgeTwin } from '../../test-kit/scenario/bridge-twin.ts';
import { codesOf, eventsOf, goalOf, outcomesOf, runOn, withBridge } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import { Interpreter } from '../interpreter.ts';

const test = suite('safety');

const HOLDING = `
GOAL hold:
  SET valve-1 on
  SET pump 5 l/min
  WAIT 60 s
GOAL after:
  CHECK AI01 <= 5 V
CONFIG close:
  SET valve-1 off
  WAIT 300 ms
  SET valve-2 off
`;

/** Aborts when the bridge has seen a request of that kind. */
function abortOn(twin: BridgeTwin, path: RegExp, act: () => void): () => void {
  const timer = setInterval(() => {
    if (twin.requests.some((one) => path.test(one.path))) {
      clearInterval(timer);
      act();
    }
  }, 5);
  return () => clearInterval(timer);
}

test('LANG-057 a rig held by another: SCN408, nothing runs, no safe-state call is sent', () =>
  withBridge(async (twin) => {
    twin.hold('run-17');
    const result = await runOn(twin, HOLDING);
    assert.is(result.outcome, 'error');
    assert.ok(codesOf(result).includes('SCN408'));
    assert.match(result.diagnostics.at(-1)?.message ?? '', /run-17/);
    assert.equal(outcomesOf(result), ['hold skipped', 'after skipped', 'close skipped']);
    assert.equal(twin.safeStates, []);
    assert.is(twin.count('POST', /hardware/), 0);
    assert.is(twin.lease?.owner, 'run-17');
  }));

test('LANG-057 the lease is renewed while a goal pauses, and outlives its time', () =>
  withBridge(
    async (twin) => {
      const result = await runOn(twin, 'GOAL a:\n  SET pump 5 l/min\n  WAIT 1 s\n  CHECK AI01 <= 5 V\n');
      assert.is(result.outcome, 'passed');
      const actions = eventsOf(result, 'lease').map(({ action }) => action);
      assert.is(actions[0], 'acquire');
      assert.ok(actions.filter((action) => action === 'renew').length >= 3);
      assert.is(actions.at(-1), 'release');
      assert.equal(twin.safeStates, ['call']);
    },
    { leaseTtlMs: 400 },
  ));

/** Everything that a run may send to a rig that is not its own any more. */
const writesAfter = (twin: BridgeTwin, count: number): string[] =>
  twin.requests
    .slice(count)
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/renew'))
    .map(({ method, path }) => `${method} ${path}`);

test('LANG-057 LANG-079 a lease lost on the way: error at once, no teardown, no new lease, nothing more is sent', () =>
  withBridge(
    async (twin) => {
      let sent = 0;
      const stop = abortOn(twin, /pump/, () => {
        twin.expireLease();
        sent = twin.requests.length;
      });
      const result = await runOn(twin, HOLDING);
      stop();
      assert.equal(outcomesOf(result), ['hold error', 'after skipped', 'close skipped']);
      assert.is(result.outcome, 'error');
      assert.ok(codesOf(result).includes('SCN408'));
      const actions = eventsOf(result, 'lease').map(({ action }) => action);
      assert.equal(
        actions.filter((action) => action !== 'renew'),
        ['acquire', 'lost'],
      );
      assert.equal([twin.safeStates, writesAfter(twin, sent)], [['lease'], []]);
      assert.equal(
        eventsOf(result, 'safe-state').map(({ reason, ok }) => [reason, ok]),
        [['error', true]],
      );
      assert.ok(result.durationMs < 30_000);
    },
    { leaseTtlMs: 600 },
  ));

test("LANG-079 an operator's stop: the run is aborted, naming who and when, without teardown and without another write", () =>
  withBridge(
    async (twin) => {
      let sent = 0;
      const stop = abortOn(twin, /pump/, () => {
        twin.stop('anna@rig');
        sent = twin.requests.length;
      });
      const result = await runOn(twin, HOLDING);
      stop();
      assert.equal(outcomesOf(result), ['hold aborted', 'after skipped', 'close skipped']);
      assert.equal([result.outcome, result.ok], ['aborted', false]);
      const why = 'the run was aborted: anna@rig stopped the rig at 2025-01-01T00:00:00.000Z (operator)';
      assert.ok(
        result.diagnostics.some(({ code, message }) => code === 'SCN412' && message.startsWith(why)),
        JSON.stringify(result.diagnostics),
      );
      assert.equal([twin.safeStates, writesAfter(twin, sent)], [['operator'], []]);
      assert.equal(
        eventsOf(result, 'safe-state').map(({ reason, ok }) => [reason, ok]),
        [['abort', true]],
      );
    },
    { leaseTtlMs: 600 },
  ));

test('LANG-079 a stop that is cleared at once ends the run all the same', () =>
  withBridge(
    async (twin) => {
      const stop = abortOn(twin, /pump/, () => {
        twin.stop('anna@rig');
        twin.operatorStop = undefined;
      });
      const result = await runOn(twin, HOLDING);
      stop();
      assert.equal(outcomesOf(result), ['hold error', 'after skipped', 'close skipped']);
      assert.equal([twin.safeStates, twin.lease], [['operator'], undefined]);
    },
    { leaseTtlMs: 600 },
  ));

const ENDS: Readonly<Record<string, [text: string, expected: string[]]>> = {
  'after its last command': ['GOAL a:\n  SET pump 50 %\n  CHECK AI01 <= 5 V\n', ['a passed']],
  'before its teardown': [
    'GOAL a:\n  SET pump 50 %\n  CHECK AI01 <= 5 V\nCONFIG close:\n  SET valve-1 on\n',
    ['a passed', 'close skipped'],
  ],
};
for (const [when, [text, expected]] of Object.entries(ENDS))
  test(`LANG-079 a stop ${when} is noticed before the verdict: aborted, nothing is switched on`, () =>
    withBridge(async (twin) => {
      twin.sensors['nc-sensor'] = () => {
        // While the reading is on its way: no renewal is due.
        twin.stop('anna@rig');
        return 0.635;
      };
      const result = await runOn(twin, text);
      assert.equal([outcomesOf(result), result.outcome], [expected, 'aborted']);
      assert.is(twin.actuated, false);
      assert.is(twin.count('POST', /valve/), 0);
    }));

test('LANG-079 a stop during the teardown cuts it', () =>
  withBridge(
    async (twin) => {
      const stop = abortOn(twin, /valve-2\?value=true/, () => twin.stop('anna@rig'));
      const result = await runOn(
        twin,
        'GOAL a:\n  CHECK AI01 <= 5 V\nCONFIG close:\n  SET valve-2 on\n  WAIT 60 s\n  SET valve-3 on\n',
      );
      stop();
      assert.equal([outcomesOf(result), result.outcome], [['a passed', 'close aborted'], 'aborted']);
      assert.equal([twin.actuated, twin.count('POST', /valve-3/)], [false, 0]);
    },
    { leaseTtlMs: 600 },
  ));

test('LANG-079 without a lease an API call that may act is not sent', () =>
  withBridge(
    async (twin) => {
      const text = `GOAL a:\n  SET pump 50 %\n  WAIT 60 s\nCONFIG close:\n  API_POST '/api/v1/hardware/pump?power_pct=0'\n`;
      const stop = abortOn(twin, /pump/, () => twin.expireLease());
      const result = await runOn(twin, text);
      stop();
      assert.equal(outcomesOf(result), ['a error', 'close skipped']);
      assert.is(twin.count('POST', /power_pct=0$/), 0);
    },
    { leaseTtlMs: 600 },
  ));

test('LANG-079 the preflight refuses a rig that an operator has stopped, and says how to clear that', () =>
  withBridge(async (twin) => {
    twin.stop('anna@rig');
    const result = await runOn(twin, HOLDING);
    assert.equal([result.outcome, codesOf(result)], ['error', ['SCN409']]);
    assert.match(
      result.diagnostics.at(-1)?.message ?? '',
      /^anna@rig stopped the rig .* svcctl stop --clear/,
    );
    assert.is(twin.count('POST', /./), 0);
  }));

test('LANG-057 a lease lost to another: no teardown, and the other one keeps the rig', () =>
  withBridge(
    async (twin) => {
      const stop = abortOn(twin, /pump/, () => {
        twin.expireLease();
        twin.hold('somebody');
      });
      const result = await runOn(twin, HOLDING);
      stop();
      assert.equal(outcomesOf(result), ['hold error', 'after skipped', 'close skipped']);
      assert.equal(twin.safeStates, ['lease']);
      assert.is(twin.count('POST', /safe-state/), 0);
      assert.is(twin.lease?.owner, 'somebody');
    },
    { leaseTtlMs: 600 },
  ));

test('LANG-057 an actuation that is refused for the lease ends the run as a lost lease', () =>
  withBridge(
    async (twin) => {
      twin.fail(
        'POST',
        /pump/,
        {
          kind: 'answer',
          status: 409,
          body: { ok: false, code: 'lease_lost', error: 'the lease has ended' },
        },
        1,
      );
      const result = await runOn(twin, HOLDING);
      assert.is(goalOf(result, 'hold').outcome, 'error');
      assert.ok(codesOf(result).includes('SCN408'));
      assert.equal(twin.safeStates, ['lease'], 'made by the bridge when the lease ended');
    },
    { leaseTtlMs: 900 },
  ));

test('LANG-057 a bridge that does not answer renewals: the lease counts as lost when its time is over', () =>
  withBridge(
    async (twin) => {
      twin.fail('POST', /renew/, { kind: 'drop' });
      const result = await runOn(twin, HOLDING);
      assert.is(goalOf(result, 'hold').outcome, 'error');
      assert.ok(eventsOf(result, 'lease').some(({ action }) => action === 'lost'));
      assert.is(twin.actuated, false);
    },
    { leaseTtlMs: 500 },
  ));

test('LANG-057 a run that is killed: the bridge makes the rig safe when the lease ends', () =>
  withBridge(
    async (twin) => {
      const child = spawn(
        process.execPath,
        [
          '--import',
          'tsx',
          fileURLToPath(new URL('../../test-kit/scenario/run-child.ts', import.meta.url)),
          twin.url,
          HOLDING,
        ],
        { stdio: 'ignore' },
      );
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await new Promise<void>((resolve) => abortOn(twin, /pump/, resolve));
      assert.is(twin.actuated, true);
      child.kill('SIGKILL');
      await ended;
      await new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (twin.safeStates.length === 0) return;
          clearInterval(timer);
          resolve();
        }, 10);
      });
      assert.equal(twin.safeStates, ['lease']);
      assert.is(twin.actuated, false);
    },
    { leaseTtlMs: 700 },
  ));

test('LANG-058 an abort cancels the command; teardown, safe state, aborted', () =>
  withBridge(async (twin) => {
    const controller = new AbortController();
    const stop = abortOn(twin, /pump/, () => controller.abort(new Error('stopped by SIGINT')));
    const result = await runOn(twin, HOLDING, { signal: controller.signal });
    stop();
    assert.is(result.outcome, 'aborted');
    assert.is(result.ok, false);
    assert.equal(outcomesOf(result), ['hold aborted', 'after skipped', 'close passed']);
    assert.is(twin.count('POST', /valve-2\?value=false/), 1);
    assert.equal(twin.safeStates, ['call']);
    assert.ok(codesOf(result).includes('SCN412'));
    assert.equal(
      eventsOf(result, 'safe-state').map(({ reason, ok }) => [reason, ok]),
      [['abort', true]],
    );
    assert.ok(result.durationMs < 30_000);
  }));

test('LANG-058 a second abort skips the teardown, never the safe state', () =>
  withBridge(async (twin) => {
    const interpreter = new Interpreter({ mode: 'execute', firmwareUrl: twin.url });
    const first = abortOn(twin, /pump/, () => interpreter.abort());
    const second = abortOn(twin, /valve-1\?value=false/, () => interpreter.abort('second'));
    const result = await interpreter.run(HOLDING, 'test.oql');
    first();
    second();
    assert.is(result.outcome, 'aborted');
    assert.is(goalOf(result, 'close').outcome, 'aborted');
    assert.is(twin.count('POST', /valve-2/), 0);
    assert.equal(twin.safeStates, ['call']);
  }));

test('LANG-058 an abort before the start: nothing is sent', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, HOLDING, { signal: AbortSignal.abort() });
    assert.is(result.outcome, 'aborted');
    assert.equal(twin.requests, []);
  }));

test('LANG-058 an abort while the lease is being taken gives it back', () =>
  withBridge(async (twin) => {
    const controller = new AbortController();
    const interpreter = new Interpreter({
      mode: 'execute',
      firmwareUrl: twin.url,
      signal: controller.signal,
      fetch: async (url, init) => {
        if (url.endsWith('/api/v1/lease')) controller.abort();
        return fetch(url, init);
      },
    });
    const result = await interpreter.run(HOLDING, 'test.oql');
    assert.is(result.outcome, 'aborted');
    assert.equal(outcomesOf(result), ['hold skipped', 'after skipped', 'close passed']);
    assert.is(twin.lease, undefined);
    assert.equal(twin.safeStates, ['call']);
  }));

test('LANG-034 command, goal, run and teardown time-outs are errors SCN407, and the rig is made safe', async () => {
  const cases: [timeouts: object, expected: string[]][] = [
    [{ goalMs: 600 }, ['hold error', 'after passed', 'close passed']],
    [{ runMs: 250 }, ['hold error', 'after skipped', 'close passed']],
    [{ runMs: 250, teardownMs: 100 }, ['hold error', 'after skipped', 'close error']],
  ];
  for (const [timeouts, expected] of cases)
    await withBridge(async (twin) => {
      const result = await runOn(twin, HOLDING, { timeouts });
      assert.equal(outcomesOf(result), expected, JSON.stringify(timeouts));
      assert.is(result.outcome, 'error');
      assert.ok(codesOf(result).includes('SCN407'));
      assert.equal(twin.safeStates, ['call']);
    });
  await withBridge(async (twin) => {
    twin.fail('GET', /sensor/, { kind: 'silence' });
    const result = await runOn(twin, 'GOAL a:\n  WAIT 300 ms\n  CHECK AI01 <= 5 V\n', {
      timeouts: { commandMs: 150 },
    });
    const [wait, check] = eventsOf(result, 'command.end');
    assert.is(wait?.outcome, 'passed');
    assert.equal([check?.outcome, check?.code], ['error', 'SCN407']);
  });
});

test('a safe state that fails makes the run an error and names the steps', () =>
  withBridge(async (twin) => {
    twin.fail('POST', /safe-state/, {
      kind: 'answer',
      status: 503,
      body: {
        ok: false,
        code: 'safe_state_incomplete',
        steps: [
          { name: 'pump_zero', ok: true, status: 'done' },
          { name: 'valves_off', ok: false, status: 'timeout', detail: 'no answer' },
        ],
      },
    });
    const result = await runOn(twin, 'GOAL a:\n  CHECK AI01 <= 5 V\n');
    assert.is(goalOf(result, 'a').outcome, 'passed');
    assert.is(result.outcome, 'error');
    assert.match(result.diagnostics.at(-1)?.message ?? '', /valves_off: timeout: no answer/);
  }));

test('a bridge without safe-state: single calls in order, with read-back', () =>
  withBridge(async (twin) => {
    twin.fail('POST', /safe-state/, { kind: 'answer', status: 404, body: { ok: false, code: 'not_found' } });
    const result = await runOn(twin, 'GOAL a:\n  SET valve-3 on\n  SET pump 50 %\n  CHECK AI01 <= 5 V\n');
    assert.is(result.outcome, 'passed');
    const after = twin.calls.slice(
      twin.calls.indexOf('POST /api/v1/hardware/safe-state?reason=run_ended') + 1,
    );
    assert.equal(after.slice(0, 3), [
      'POST /api/v1/hardware/lung/stop',
      'POST /api/v1/hardware/pump?power_pct=0',
      'POST /api/v1/hardware/lung/disable',
    ]);
    assert.equal(after.filter((call) => call.includes('/valve/')).length, 8);
    assert.is(after.at(-1), 'GET /api/v1/state');
    assert.is(twin.actuated, false);
    assert.is(twin.lease, undefined);
  }));

test('single calls of the safe state are independent, and one that fails is reported', () =>
  withBridge(async (twin) => {
    twin.fail('POST', /safe-state/, { kind: 'drop' });
    twin.fail('POST', /power_pct=0/, {
      kind: 'answer',
      status: 503,
      body: { ok: false, error: 'pump is silent' },
    });
    const result = await runOn(twin, 'GOAL a:\n  SET valve-3 on\n  SET pump 50 %\n  CHECK AI01 <= 5 V\n');
    assert.is(result.outcome, 'error');
    const [safe] = eventsOf(result, 'safe-state');
    assert.is(safe?.ok, false);
    assert.equal(
      safe?.steps.filter((step) => !step.ok),
      [{ name: 'pump_zero', ok: false, error: 'pump is silent' }],
    );
    assert.is(twin.valves.get('valve-3'), false);
  }));

test('an answer to a single call that shows a motion, or power, is no step of a safe state', () =>
  withBridge(async (twin) => {
    twin.fail('POST', /safe-state/, { kind: 'answer', status: 404, body: { ok: false } });
    const moving = { ok: true, status: 'stopped', data: { runtime_status: { moving: true } } };
    twin.fail('POST', /lung\/stop/, { kind: 'answer', status: 200, body: moving });
    twin.fail('POST', /power_pct=0/, { kind: 'answer', status: 200, body: { ok: true, power_pct: 20 } });
    twin.fail('POST', /lung\/disable/, {
      kind: 'answer',
      status: 200,
      body: { ok: true, status: 'started' },
    });
    const result = await runOn(twin, 'GOAL a:\n  SET pump 20 %\n  CHECK AI01 <= 5 V\n');
    assert.is(result.outcome, 'error');
    assert.equal(
      eventsOf(result, 'safe-state')[0]?.steps.filter(({ ok }) => !ok),
      [
        { name: 'lung_halt', ok: false, error: 'by the answer to the stop the lung is moving' },
        { name: 'pump_zero', ok: false, error: 'the answer confirms 20 %, not 0 %' },
        { name: 'lung_deenergize', ok: false, error: 'the answer to a stop has status: started' },
      ],
    );
  }));

test('a valve that the read-back shows open is not a safe state', () =>
  withBridge(async (twin) => {
    twin.fail('POST', /safe-state/, { kind: 'answer', status: 404, body: { ok: false } });
    twin.fail('POST', /valve-3\?value=false/, {
      kind: 'answer',
      status: 200,
      body: { ok: true, value: false },
    });
    const result = await runOn(twin, 'GOAL a:\n  SET valve-3 on\n  CHECK AI01 <= 5 V\n');
    assert.is(result.outcome, 'error');
    assert.match(result.diagnostics.at(-1)?.message ?? '', /valve-3 is open/);
  }));

test('a bridge that dies in the middle: error, the safe state is tried, the run ends', () =>
  withBridge(async (twin) => {
    const stop = abortOn(twin, /pump/, () => void twin.close());
    const result = await runOn(twin, 'GOAL a:\n  SET pump 5 l/min\n  WAIT 200 ms\n  CHECK AI01 <= 5 V\n');
    stop();
    assert.is(result.outcome, 'error');
    assert.is(eventsOf(result, 'safe-state')[0]?.ok, false);
  }));

test('a record that cannot be written ends the run as an error, and the rig is made safe', () =>
  withBridge(async (twin) => {
    let told = 0;
    const result = await runOn(twin, HOLDING, {
      onEvent: (event) => {
        told++;
        if (event.type === 'actuate') throw new Error('no space left on device');
      },
    });
    assert.is(result.outcome, 'error');
    assert.is(result.ok, false);
    assert.equal(twin.safeStates, ['call']);
    assert.is(goalOf(result, 'close').outcome, 'passed');
    assert.is(told, result.events.length);
  }));

test('a record that fails at the very end makes the result an error too', async () => {
  for (const type of ['safe-state', 'run.end'])
    await withBridge(async (twin) => {
      const result = await runOn(twin, 'GOAL a:\n  CHECK AI01 <= 5 V\n', {
        onEvent: (event) => {
          if (event.type === type) throw new Error('no space left on device');
        },
      });
      assert.is(goalOf(result, 'a').outcome, 'passed');
      assert.equal([result.outcome, result.ok], ['error', false], type);
    });
});

test('a crash inside the interpreter never rejects and makes the rig safe', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, "GOAL: a\n  → Operator.confirm 'x'\n  CHECK AI01 <= 5 V\n", {
      onPrompt: () => {
        throw new TypeError('boom');
      },
    });
    assert.is(result.outcome, 'error');
    assert.equal(twin.safeStates, ['call']);
  }));

test.run();
