import { readFileSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { launch } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { type Json, onServerRig, QUICK } from './server-rig.ts';

const test = suite('a run that svc-server does not start');

const BAD = "GOAL:\n  SET NAME 'Bad'\n  SET valve-nx open\n  CHECK AI01 >= 0 V\n  GET AI09\n";
const MACRO = "INCLUDE 'lib/macros.oql'\nGOAL:\n  SET NAME 'Uses one'\n  CHECK AI01 >= 0 V\n";

together(
  test,
  {
    'SVC-006 an invalid scenario is 422 with code, file, line, column and remedy of every error, and no record':
      () =>
        onServerRig({ bad: BAD, includes: MACRO, quick: QUICK }, async (rig) => {
          const { status, headers, body } = await rig.ask('POST /api/scenarios/bad/run', {});
          assert.equal([status, body.code], [422, 'invalid_scenario']);
          assert.match(headers.get('content-type') ?? '', 'application/problem+json');
          assert.equal(
            (body.findings as Json[]).map(({ code, file, line, column }) => [code, file, line, column]),
            [
              ['SCN221', 'bad.oql', 3, 7],
              ['SCN222', 'bad.oql', 5, 7],
            ],
          );
          for (const { remedy } of body.findings as Json[]) assert.match(String(remedy), /Correct the name/);
          assert.match(String((body.findings as Json[])[0]?.remedy), /^Did you mean valve-nc\?/);
          assert.match(String(body.detail), /bad has 2 errors\. SCN221 line 3, column 7: "valve-nx"/);
          assert.equal((body.errors as Json[])[0]?.field, 'id');
          const plan = await rig.ask('GET /api/scenarios/bad/plan');
          assert.match(
            String((plan.body.faults as string[])[0]),
            /^SCN221 line 3, column 7: .*Correct the name/,
          );

          // What only this rig lacks keeps no rehearsal from running; an error of the text does.
          const dry = await rig.ask('POST /api/scenarios/bad/run?wait=30', { mode: 'dry-run' });
          assert.is(dry.status, 200, JSON.stringify(dry.body));
          const absent = await rig.ask('POST /api/scenarios/includes/run', { mode: 'dry-run' });
          assert.equal([absent.status, (absent.body.findings as Json[])[0]?.code], [422, 'SCN204']);
          const validation = await rig.ask('POST /api/scenarios/includes/run?wait=30', { mode: 'validate' });
          assert.equal([validation.status, validation.body.ok], [200, false], 'its run is the report');

          assert.is((await rig.ask('GET /api/runs')).body.count, 2, 'what is refused is not a run');
          assert.is((await rig.ask('POST /api/scenarios/quick/run?wait=30', {})).body.status, 'passed');
        }),

    'SVC-006 a device that svc.yaml lacks or switches off refuses the start with plugin and remedy; mock mode needs none':
      () =>
        onServerRig(
          {
            lung: "GOAL:\n  SET NAME 'Lung'\n  SET lung 1 cycles\n  WAIT 1s\n  SET lung stop\n  CHECK AI01 >= 0 V\n",
            pump: "GOAL:\n  SET NAME 'Pump'\n  SET pump 10 %\n  SET pump 0 %\n  CHECK AI01 >= 0 V\n",
            quick: QUICK,
          },
          async (rig) => {
            const { config } = rig.bench;
            const text = readFileSync(config, 'utf8');
            const off = text.replace('lung-motor: {', 'lung-motor: { enabled: false,');
            writeFileSync(config, off.replace(/^ *pump-motor: \{.*\n/m, ''));
            assert.not.match(readFileSync(config, 'utf8'), 'pump-motor:');
            for (const [id, plugin, why, remedy] of [
              [
                'lung',
                'lung-motor',
                'switches off (enabled: false)',
                'set plugins.lung-motor.enabled to true',
              ],
              ['pump', 'pump-motor', 'does not have', 'Add plugins.pump-motor to svc.yaml'],
            ] as const) {
              const { status, body } = await rig.ask(`POST /api/scenarios/${id}/run`, {});
              assert.equal([status, body.code], [503, 'device_unavailable'], id);
              assert.match(String(body.detail), `no run of ${id} was started, the rig lacks a device`);
              const [found, ...others] = body.findings as Json[];
              assert.equal([found?.code, found?.line, others], ['SCN409', null, []]);
              assert.match(String(found?.message), `(${plugin}), which svc.yaml of this rig ${why}`);
              assert.match(String(found?.remedy), remedy);
              const plan = await rig.ask(`GET /api/scenarios/${id}/plan`);
              assert.match(String(plan.body.obstacle), `(${plugin})`);
              const args = ['run', id, '--server', '--mode', 'execute', '--without-guard'];
              const told = await launch('svcctl', args, { SVC_SERVER_URL: rig.server.url }).ended;
              assert.is(told.code, 3, told.stderr);
              assert.match(told.stderr, `(${plugin}), which svc.yaml of this rig ${why}`);
            }
            assert.is((await rig.ask('GET /api/runs')).body.count, 0);
            assert.is((await rig.ask('POST /api/scenarios/quick/run?wait=30', {})).body.status, 'passed');
          },
        ),
  },
  { timeoutMs: 120_000 },
);

test.run();
