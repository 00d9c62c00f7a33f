import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { HOLDING, type Json, onServerRig, QUICK } from './server-rig.ts';
import { EventReader } from './sse.ts';

const test = suite('svc-server executes on the bench');

const outcome = ({ safe_state }: Json): unknown => (safe_state as Json | null)?.outcome;

together(
  test,
  {
    'a run in real mode executes by default, is marked as a bench and leaves its record': () =>
      onServerRig({ quick: QUICK }, async (rig) => {
        const { status, body } = await rig.ask('POST /api/scenarios/quick/run?wait=30', {
          operator: 'Anna',
          unit_under_test: 'mask 17',
        });
        assert.is(status, 200, JSON.stringify(body));
        assert.equal(
          [body.mode, body.hardware_mode, body.simulated, body.bench, body.status, body.ok, body.passed],
          ['execute', 'real', false, true, 'passed', true, 1],
        );
        assert.equal([outcome(body), body.operator, body.unit_under_test], ['safe', 'Anna', 'mask 17']);
        const id = String(body.run_id);
        assert.equal(rig.files(id), [
          'events.ndjson',
          'result.json',
          'run.json',
          'scenario.oql',
          'seal.json',
        ]);
        const events = rig.recorded(id);
        assert.ok(events.every(({ bench }) => bench === true));
        assert.ok(events.some((event) => event.type === 'lease' && event.action === 'acquire'));
        assert.not.ok(await rig.leaseHeld());
        const report = await rig.ask(`GET /api/runs/${id}/report`);
        const { identity } = report.body as {
          identity: { calibrations: { id: string }[]; configuration: Json };
        };
        assert.ok(identity.calibrations.some((one) => one.id === 'bench-ai01'));
        assert.match(String((identity.configuration.file as Json).sha256), /^[0-9a-f]{64}$/);
      }),

    'SVC-044 a second execute run is 409 run_active and touches nothing; a dry-run goes beside it': () =>
      onServerRig({ hold: HOLDING, quick: QUICK }, async (rig) => {
        const id = await rig.begin('hold');
        await rig.untilHolding();
        const second = await rig.ask('POST /api/v1/scenarios/quick/run?wait=30', {});
        assert.equal([second.status, second.body.code, second.body.active], [409, 'run_active', [id]]);
        const dry = await rig.ask('POST /api/v1/scenarios/quick/run?wait=30', { mode: 'dry-run' });
        assert.equal([dry.status, dry.body.status, dry.body.simulated], [200, 'passed', true]);
        assert.is((await rig.run(id)).status, 'running');
        assert.is((await rig.ask(`GET /api/runs/${id}/report`)).body.code, 'run_not_finished');
        assert.equal((await rig.ask('GET /api/runs')).body.count, 2, 'the refused one is not a run');
        await rig.ask(`POST /api/runs/${id}/abort`);
        await rig.untilEnded(id);
        assert.is(
          (await rig.ask('POST /api/scenarios/quick/run?wait=30', {})).status,
          200,
          'the rig is free',
        );
      }),

    'SVC-044 abort: teardown, safe state on the twins and in the record; again is 409 run_finished': () =>
      onServerRig({ hold: HOLDING }, async (rig) => {
        const id = await rig.begin('hold');
        await rig.untilHolding();
        const { status, body } = await rig.ask(`POST /api/v1/runs/${id}/abort`);
        assert.equal([status, body], [202, { run_id: id, status: 'aborting' }]);
        const ended = await rig.untilEnded(id);
        assert.equal([ended.status, ended.ok, outcome(ended), ended.bench], ['aborted', false, 'safe', true]);
        assert.ok(rig.bench.moves().includes('coil 1 on'), 'the teardown ran');
        assert.equal(await rig.bench.outputsOn(), []);
        assert.not.ok(await rig.leaseHeld());
        const again = await rig.ask(`POST /api/runs/${id}/abort`);
        assert.equal([again.status, again.body.code], [409, 'run_finished']);
        assert.is((await rig.ask('POST /api/runs/r-20000101-0001/abort')).body.code, 'unknown_run');
      }),

    'SVC-044 abort while the pump has its command and has not answered: the pump is off afterwards': () =>
      onServerRig({ hold: HOLDING }, async (rig) => {
        // Long enough to abort meanwhile.
        await rig.bench.knobs('pump', { late_ms: 300 });
        const id = await rig.begin('hold');
        await rig.bench.untilOutputs((on) => on.includes('coil 0'));
        const began = () =>
          rig.bench
            .trace()
            .some(
              ({ device, kind, bytes }) =>
                device === 'pump' && kind === 'in' && /^32 06 00 06 00 33/.test(bytes ?? ''),
            );
        while (!began()) await systemClock.sleep(5);
        // The answer that is under way stays late; those of the safe state, which has 800 ms for the pump, do not.
        await Promise.all([rig.bench.knobs('pump', { late_ms: 0 }), rig.ask(`POST /api/runs/${id}/abort`)]);
        const ended = await rig.untilEnded(id);
        assert.is(ended.status, 'aborted');
        assert.equal(await rig.bench.outputsOn(), []);
        assert.is(
          rig.bench
            .moves()
            .filter((move) => move.startsWith('pump'))
            .at(-1),
          'pump off',
        );
        assert.equal(outcome(ended), 'safe', JSON.stringify(ended));
      }),

    'SVC-044 kill -9 in the middle of a run: the bridge makes the rig safe, and the next start tells it as aborted':
      () =>
        onServerRig({ hold: HOLDING }, async (rig) => {
          const id = await rig.begin('hold');
          await rig.untilHolding();
          await end(rig.server, 'SIGKILL');
          assert.equal(
            await rig.bench.outputsOn(),
            ['coil 0', 'pump 51'],
            'a dead server switches nothing off',
          );
          const before = rig.recorded(id);
          await rig.bench.untilOutputs((on) => on.length === 0);
          await rig.bench.bridge.until('safe state: safe (lease_expired)');
          assert.not.ok(rig.bench.moves().includes('coil 1 on'), 'a dead run has no teardown');
          await rig.restart();
          const run = await rig.run(id);
          assert.equal([run.status, run.ok, outcome(run), run.bench], ['aborted', false, 'unknown', true]);
          assert.match(JSON.stringify(run.errors), 'the record ends here');
          assert.equal(rig.recorded(id).slice(0, before.length), before, 'everything up to the cut');
          const reader = await EventReader.open(`${rig.server.url}/api/runs/${id}/events`);
          await reader.untilEnd();
          assert.is(reader.received.at(-1)?.event, 'run.end');
          const report = await rig.ask(`GET /api/runs/${id}/report?format=junit`);
          assert.match(String(report.body.text), 'the record ends here');
        }),

    'SVC-044 killed and started again at once: the new one makes the rig safe before the lease would end':
      () =>
        onServerRig({ hold: HOLDING }, async (rig) => {
          const id = await rig.begin('hold');
          await rig.untilHolding();
          await end(rig.server, 'SIGKILL');
          await rig.restart();
          assert.equal(await rig.bench.outputsOn(), []);
          const run = await rig.run(id);
          // On a very slow machine the lease has ended before; then nobody but the bridge knows.
          const wasLate = rig.bench.bridge.text().includes('lease_expired');
          assert.equal([run.status, outcome(run)], ['aborted', wasLate ? 'unknown' : 'safe']);
          const told = rig.recorded(id).some((event) => event.type === 'safe-state' && event.ok);
          assert.is(told, !wasLate);
        }),

    'SVC-040 SIGTERM: the run is aborted with teardown and safe state, its record is whole, exit 0': () =>
      onServerRig({ hold: HOLDING }, async (rig) => {
        const id = await rig.begin('hold');
        await rig.untilHolding();
        const waiting = rig.ask('POST /api/scenarios/hold/run?wait=1', { mode: 'execute' });
        await waiting;
        const { code, stderr } = await end(rig.server);
        assert.is(code, 0, stderr);
        assert.equal(await rig.bench.outputsOn(), []);
        assert.ok(rig.bench.moves().includes('coil 1 on'), 'the teardown ran');
        assert.is(rig.recorded(id).at(-1)?.type, 'run.end');
        await rig.restart();
        const run = await rig.run(id);
        assert.equal([run.status, outcome(run)], ['aborted', 'safe']);
        assert.match(JSON.stringify(run.errors), 'svc-server ends (SIGTERM)');
      }),

    'SVC-040 SIGTERM with a teardown that takes too long: it is cut, the safe state is not': () =>
      onServerRig({ long: HOLDING.replace('WAIT 200ms', 'WAIT 50s') }, async (rig) => {
        await rig.begin('long');
        await rig.untilHolding();
        const { code, stderr } = await end(rig.server);
        assert.is(code, 0, stderr);
        assert.equal(await rig.bench.outputsOn(), []);
      }),

    'a lost bridge ends the run as an error; a run on no bridge too, and nothing of it is ok': () =>
      onServerRig({ hold: HOLDING }, async (rig) => {
        const id = await rig.begin('hold');
        await rig.untilHolding();
        rig.bench.bridge.child.kill('SIGKILL');
        await rig.bench.bridge.ended;
        const lost = await rig.untilEnded(id);
        assert.equal([lost.status, lost.ok, outcome(lost)], ['error', false, 'failed']);
        const health = (await rig.ask('GET /health?wait_ms=2500')).body;
        assert.equal([health.status, (health.firmware as Json).reachable], ['degraded', false]);
        const { body } = await rig.ask('POST /api/scenarios/hold/run?wait=30', {});
        assert.equal([body.status, body.safe_state], ['error', null]);
        assert.match(JSON.stringify(body.errors), 'SCN409');
        const peripherals = await rig.ask('GET /api/hardware/peripherals');
        const { firmware, peripherals: list } = peripherals.body as { firmware: Json; peripherals: Json[] };
        assert.equal([peripherals.status, firmware.reachable, list.length], [200, false, 14]);
        assert.ok(list.every((one) => one.connected === false && one.status === 'unknown'));
      }),

    "SVC-049 LANG-079 an operator's stop aborts the run of the server without its teardown, naming who, and stays":
      () =>
        onServerRig({ hold: HOLDING }, async (rig) => {
          const id = await rig.begin('hold');
          await rig.untilHolding();
          const hardware = `${rig.bench.bridge.url}/api/v1/hardware`;
          const stop = await fetch(`${hardware}/safe-state?by=anna`, { method: 'POST' });
          // On a machine under load a step may be proven only when it is repeated.
          assert.ok(stop.status === 200 || stop.status === 503, await stop.text());
          const run = await rig.untilEnded(id);
          assert.equal([run.status, run.ok], ['aborted', false], JSON.stringify(run));
          assert.match(JSON.stringify(run.errors), /SCN412.*anna stopped the rig at 20/);
          await rig.bench.untilOutputs((on) => on.length === 0);
          assert.not.ok(rig.bench.moves().includes('coil 1 on'), 'the teardown did not run');
          const next = await rig.untilEnded(await rig.begin('hold'));
          assert.equal([next.status, next.safe_state], ['error', null]);
          assert.match(JSON.stringify(next.errors), /SCN409.*anna stopped the rig.*svcctl stop --clear/);
          assert.is((await fetch(`${hardware}/operator-stop/clear`, { method: 'POST' })).status, 200);
          assert.is(((await rig.bench.get('/health')) as Json).operator_stop, null);
        }),

    'SVC-044 a server that is frozen loses its lease; thawed, the run is an error and the rig is safe': () =>
      onServerRig({ hold: HOLDING }, async (rig) => {
        const id = await rig.begin('hold');
        await rig.untilHolding();
        rig.server.child.kill('SIGSTOP');
        await rig.bench.untilOutputs((on) => on.length === 0);
        rig.server.child.kill('SIGCONT');
        const run = await rig.untilEnded(id);
        assert.equal([run.status, run.ok, outcome(run)], ['error', false, 'safe']);
        assert.equal(await rig.bench.outputsOn(), []);
        assert.not.ok(await rig.leaseHeld());
      }),

    'a lease that another holds is left alone: the run is an error and the rig stays as it is': () =>
      onServerRig({ hold: HOLDING }, async (rig) => {
        const lease = await fetch(`${rig.bench.bridge.url}/api/v1/lease`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ owner: 'somebody', ttl_ms: 60_000 }),
        });
        assert.is(lease.status, 201);
        const { body } = await rig.ask('POST /api/scenarios/hold/run?wait=30', {});
        assert.equal([body.status, body.safe_state], ['error', null]);
        assert.match(JSON.stringify(body.errors), 'SCN408');
        assert.equal(
          rig.bench.moves().filter((move) => move.endsWith(' on')),
          [],
        );
      }),

    'a scenario that the safety check refuses is not run, and says why': () =>
      onServerRig(
        { unsafe: "GOAL:\n  SET NAME 'Leaves it on'\n  SET valve-nc open\n  SET lamp on\n" },
        async (rig) => {
          const { status, body } = await rig.ask('POST /api/scenarios/unsafe/run?wait=30', {});
          assert.equal([status, body.code], [422, 'invalid_scenario']);
          assert.match(JSON.stringify(body.findings), 'SCN271');
          assert.equal(
            rig.bench.moves().filter((move) => move.endsWith(' on')),
            [],
          );
          const [listed] = (await rig.ask('GET /api/scenarios')).body.scenarios as Json[];
          assert.equal([listed?.valid, String(listed?.fault).startsWith('SCN271')], [false, true]);
          const dry = await rig.ask('POST /api/scenarios/unsafe/run?wait=30', { mode: 'dry-run' });
          assert.equal(
            [dry.body.status, dry.body.simulated],
            ['done', true],
            'a dry-run reports it and goes on',
          );
        },
        { config: 'peripherals: { lamp: { type: lamp } }\n' },
      ),

    'SVC-008 a server in mock mode executes nothing on a bridge that drives hardware': () =>
      onServerRig({ hold: HOLDING }, async (rig) => {
        await end(rig.server);
        await rig.restart({ SVC_HARDWARE_MODE: 'mock' });
        const { body } = await rig.ask('POST /api/scenarios/hold/run?wait=30', {
          mode: 'execute',
          simulated: true,
        });
        assert.equal([body.status, body.hardware_mode, body.safe_state], ['error', 'mock', null]);
        assert.match(JSON.stringify(body.errors), 'this service is in mock mode');
        assert.equal(
          rig.bench.moves().filter((move) => move.endsWith(' on')),
          [],
        );
        assert.is((await rig.ask('POST /api/scenarios/hold/run?wait=30', {})).body.mode, 'dry-run');
      }),
  },
  { timeoutMs: 180_000, atOnce: 3 },
);

test.run();
