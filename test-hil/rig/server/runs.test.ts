import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { together } from '../bench/together.ts';
import { HOLDING, type Json, MANY, onServerRig, QUICK } from './server-rig.ts';
import { EventReader } from './sse.ts';

const test = suite('runs of svc-server');

const LIBRARY = 'SCENARIO: Library\nMACRO hold:\n  WAIT 1s\n';
const GATE = "GOAL:\n  SET NAME 'Gate'\n  IF AI01 > 4 V\n    CHECK AI01 < 4.05 V\n  ENDIF\n";
const OPEN = "GOAL:\n  SET NAME 'Open'\n  SET valve-nc open\n  SET valve-nc close\n";
const FAILING = "GOAL:\n  SET NAME 'Fails'\n  CHECK AI01 >= 3 V\n";

together(
  test,
  {
    'SVC-045 SVC-069 a cut connection resumes after the last event it has, without a gap, and ends with run.end':
      () =>
        onServerRig({ hold: HOLDING }, async (rig) => {
          const id = await rig.begin('hold');
          const url = `${rig.server.url}/api/v1/runs/${id}/events`;
          const first = await EventReader.open(url);
          await first.until('actuate');
          const knowsBridge = () => first.alive.some(({ bridge }) => (bridge as Json).reachable === true);
          while (!knowsBridge()) await first.read();
          first.cut();
          await rig.untilHolding();
          const last = first.received.at(-1)?.id;
          const second = await EventReader.open(url, last);
          const rest = second.untilEnd();
          await rig.ask(`POST /api/runs/${id}/abort`);
          await rest;
          const all = [...first.received, ...second.received];
          assert.equal(
            all.map(({ id: number }) => Number(number)),
            all.map((_, n) => n),
          );
          assert.ok(
            all.every(({ id: number, event, data }) => data.seq === Number(number) && data.type === event),
          );
          assert.is(all.at(-1)?.event, 'run.end');
          assert.equal(
            all.map(({ data }) => data),
            rig.recorded(id),
          );
          const late = await EventReader.open(url, '3');
          await late.untilEnd();
          const byQuery = await EventReader.open(`${url}?last_event_id=3`);
          await byQuery.untilEnd();
          assert.equal(byQuery.received, late.received, 'SVC-069 a page cannot set the header');
          assert.is(first.retryMs, 500);
          const [{ run } = {}] = first.alive;
          const { run_id, status } = run as Json;
          assert.is(run_id, id);
          assert.match(String(status), /^(queued|running)$/);
          assert.equal([late.received[0]?.id, late.received.at(-1)?.event], ['4', 'run.end']);
          const nothing = await EventReader.open(url, all.at(-1)?.id);
          assert.is(nothing.status, 204, 'a browser stops asking');
        }),

    'SVC-045 the stream carries a comment every 15 s': () =>
      onServerRig({ hold: HOLDING }, async (rig) => {
        const id = await rig.begin('hold');
        await rig.untilHolding();
        const reader = await EventReader.open(`${rig.server.url}/api/runs/${id}/events`);
        while (reader.comments === 0) assert.ok(await reader.read(), 'the run goes on');
        reader.cut();
        await rig.ask(`POST /api/runs/${id}/abort`);
        await rig.untilEnded(id);
      }),

    'SVC-045 a reader that does not read holds up neither the run nor the server': () =>
      onServerRig({ many: MANY, quick: QUICK }, async (rig) => {
        const id = await rig.begin('many', { mode: 'dry-run' });
        const slow = await EventReader.open(`${rig.server.url}/api/runs/${id}/events`);
        const run = await rig.untilEnded(id);
        assert.equal([run.status, run.simulated], ['passed', true]);
        assert.is((await rig.ask('POST /api/scenarios/quick/run?wait=30', {})).body.status, 'passed');
        await slow.untilEnd();
        assert.equal(
          slow.received.map(({ id: number }) => Number(number)),
          slow.received.map((_, n) => n),
        );
        assert.is(slow.received.at(-1)?.event, 'run.end');
        assert.ok(slow.received.length > 40_000);
        slow.cut();
      }),

    'SVC-046 /api and /api/v1 answer alike': () =>
      onServerRig({ quick: QUICK }, async (rig) => {
        const id = String((await rig.ask('POST /api/scenarios/quick/run?wait=30', {})).body.run_id);
        for (const path of [
          '/scenarios',
          '/runs',
          `/runs/${id}`,
          `/runs/${id}/events`,
          `/runs/${id}/report`,
          `/runs/${id}/report?format=csv`,
          '/hardware/peripherals',
          '/runs/none',
          '/runs?limit=0',
        ]) {
          const [plain, versioned] = [await rig.ask(`GET /api${path}`), await rig.ask(`GET /api/v1${path}`)];
          assert.equal([plain.status, plain.body], [versioned.status, versioned.body], path);
        }
        for (const line of ['POST /scenarios/none/run', `POST /runs/${id}/abort`, 'POST /runs/none/abort']) {
          const [plain, versioned] = [
            await rig.ask(line.replace(' ', ' /api'), {}),
            await rig.ask(line.replace(' ', ' /api/v1'), {}),
          ];
          assert.equal([plain.status, plain.body], [versioned.status, versioned.body], line);
        }
      }),

    'SVC-046 ids are looked up and never used as paths': () =>
      onServerRig({ quick: QUICK }, async (rig) => {
        mkdirSync(join(rig.bench.folder, 'scenarios', 'sub'));
        writeFileSync(join(rig.bench.folder, 'scenarios', 'sub', 'deep.oql'), QUICK);
        writeFileSync(join(rig.bench.folder, 'outside.oql'), QUICK);
        const below = await rig.ask('POST /api/scenarios/sub%2Fdeep/run?wait=30', {});
        assert.equal([below.status, below.body.scenario_id], [200, 'sub/deep']);
        const paths = [
          '..%2foutside',
          '..%2foutside.oql',
          'sub%2f..%2fquick',
          encodeURIComponent(join(rig.bench.folder, 'outside.oql')),
          encodeURIComponent(join(rig.bench.folder, 'scenarios', 'quick')),
          'quick%00',
          'quick%00.oql',
          '.%2fquick',
          'quick.oql',
          'QUICK',
          'constructor',
          '__proto__',
        ];
        for (const id of paths) {
          const { status, body } = await rig.ask(`POST /api/scenarios/${id}/run`, { mode: 'dry-run' });
          assert.equal([status, body.code], [404, 'unknown_scenario'], id);
        }
        const run = String(below.body.run_id);
        for (const id of [
          `..%2fruns%2f${run}`,
          `${run}%2f..%2f${run}`,
          `${run}%00`,
          '..%2f..%2fsvc.yaml',
          'toString',
        ])
          for (const path of ['', '/events', '/report']) {
            const { status, body } = await rig.ask(`GET /api/runs/${id}${path}`);
            assert.is(status, 404, id + path);
            assert.ok(['unknown_run', 'not_found'].includes(String(body.code)), id + path);
          }
        assert.is((await rig.ask('GET /api/scenarios/%zz/run')).status, 405);
        assert.is((await rig.ask('POST /api/scenarios/%zz/run', {})).status, 422);
      }),

    'SVC-047 a run without goals is not ok, whatever its mode': () =>
      onServerRig({ library: LIBRARY, quick: QUICK }, async (rig) => {
        for (const mode of ['dry-run', 'execute', 'validate']) {
          const { status, body } = await rig.ask('POST /api/scenarios/library/run?wait=30', { mode });
          assert.equal([status, body.ok, body.total], [200, false, 0], mode);
          if (mode !== 'validate') assert.is(body.status, 'error', mode);
        }
        const { body } = await rig.ask('POST /api/scenarios/quick/run?wait=30', { mode: 'validate' });
        assert.equal([body.status, body.ok, body.passed], ['passed', true, 0]);
      }),

    'LANG-076 a run is inconclusive with the reason, or done, in its view, in lists, in events and in reports':
      () =>
        onServerRig({ gate: GATE, open: OPEN }, async (rig) => {
          const { body } = await rig.ask('POST /api/scenarios/gate/run?wait=30', {});
          assert.equal([body.status, body.ok, body.passed, body.total], ['inconclusive', false, 0, 1]);
          assert.match(
            JSON.stringify(body.errors),
            'Gate: no check ran: CHECK on line 4 depends on IF on line 3',
          );
          const done = (await rig.ask('POST /api/scenarios/open/run?wait=30', {})).body;
          assert.equal([done.status, done.ok, done.passed, done.errors], ['done', false, 0, []]);
          const listed = (await rig.ask('GET /api/runs')).body.runs as Json[];
          assert.equal(
            listed.map(({ status }) => status),
            ['done', 'inconclusive'],
          );
          const end = rig.recorded(String(body.run_id)).at(-1);
          assert.match(
            JSON.stringify(end),
            '"type":"run.end","outcome":"inconclusive","ok":false,"judged":false',
          );
          const junit = await fetch(`${rig.server.url}/api/runs/${body.run_id}/report?format=junit`);
          assert.match(await junit.text(), 'skipped message="inconclusive: no check ran');
        }),

    'a failed check is failed with its goal; the reports are files of each format, with marks': () =>
      onServerRig({ failing: FAILING }, async (rig) => {
        const { body } = await rig.ask('POST /api/scenarios/failing/run?wait=30', {});
        assert.equal([body.status, body.ok, (body.safe_state as Json).outcome], ['failed', false, 'safe']);
        assert.match(JSON.stringify(body.errors), '"code":"failed","message":"Fails');
        const id = String(body.run_id);
        for (const [format, type, extension, wanted] of [
          ['html', 'text/html', 'html', 'bench, not a test'],
          ['junit', 'application/xml', 'xml', '<property name="bench" value="true"/>'],
          ['csv', 'text/csv', 'csv', 'failed,'],
          ['json', 'application/json', 'json', ''],
        ] as const) {
          const report = await rig.ask(`GET /api/runs/${id}/report?format=${format}`);
          assert.match(report.headers.get('content-type') ?? '', type);
          assert.is(report.headers.get('content-disposition'), `attachment; filename="${id}.${extension}"`);
          assert.ok(JSON.stringify(report.body).includes(wanted.replaceAll('"', '\\"')), format);
        }
        const json = (await rig.ask(`GET /api/runs/${id}/report`)).body;
        const unchained = (event: object) => JSON.stringify({ ...event, prev: undefined });
        const { events } = json as { events: Json[] };
        assert.equal(events.map(unchained), rig.recorded(id).map(unchained));
        const bad = await rig.ask(`GET /api/runs/${id}/report?format=pdf`);
        assert.equal([bad.status, bad.body.code], [422, 'invalid_parameter']);
      }),

    'wait: 0 and none answer at once with 202, too short a time 202, a whole one 200; beyond 120 s is 422':
      () =>
        onServerRig({ hold: HOLDING, quick: QUICK }, async (rig) => {
          const short = await rig.ask('POST /api/scenarios/hold/run?wait=0.2', {});
          assert.equal([short.status, short.body.ended_at, short.body.ok], [202, null, false]);
          await rig.ask(`POST /api/runs/${short.body.run_id}/abort`);
          await rig.untilEnded(String(short.body.run_id));
          for (const path of ['run', 'run?wait=0']) {
            const { status, body } = await rig.ask(`POST /api/scenarios/quick/${path}`, {});
            assert.equal([status, body.ended_at], [202, null]);
            await rig.untilEnded(String(body.run_id));
          }
          assert.is((await rig.ask('POST /api/scenarios/quick/run?wait=120', {})).status, 200);
          for (const wait of ['121', '-1', 'x', 'Infinity'])
            assert.is((await rig.ask(`POST /api/scenarios/quick/run?wait=${wait}`, {})).status, 422, wait);
          assert.is((await rig.ask('GET /api/runs')).body.count, 4, 'what is refused is not a run');
        }),

    'runs persist: newest first, limited, and the same after a restart': () =>
      onServerRig({ quick: QUICK }, async (rig) => {
        const ids: string[] = [];
        for (let n = 0; n < 3; n++)
          ids.unshift(String((await rig.ask('POST /api/scenarios/quick/run?wait=30', {})).body.run_id));
        const before = (await rig.ask('GET /api/runs')).body;
        assert.equal(
          (before.runs as Json[]).map(({ run_id }) => run_id),
          ids,
        );
        rig.server.child.kill('SIGTERM');
        assert.is((await rig.server.ended).code, 0);
        await rig.restart();
        assert.equal((await rig.ask('GET /api/runs')).body, before);
        const limited = (await rig.ask('GET /api/runs?limit=2')).body;
        assert.equal(
          [limited.count, (limited.runs as Json[]).map(({ run_id }) => run_id)],
          [2, ids.slice(0, 2)],
        );
        const second = rig.launch(['--port', '0']);
        const { code, stderr } = await second.ended;
        assert.is(code, 75, "two on the same records would end each other's runs");
        assert.match(stderr, `is held by svc-server (pid ${rig.server.pid}`);
      }),
  },
  { timeoutMs: 180_000, atOnce: 3 },
);

test.run();
