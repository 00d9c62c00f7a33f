import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { seededRandom } from '../../../src/lib/random/seeded-random.ts';
import { removeSeal, tamper } from '../../../src/test-kit/scenario/tampering.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end } from '../bench/program.ts';
import { type Json, onServerRig, QUICK, type ServerRig } from './server-rig.ts';

const test = suite('seals of the records of svc-server');
const TAMPERINGS = 100;

async function threeRuns(rig: ServerRig): Promise<string[]> {
  const ids: string[] = [];
  for (const name of ['quick', 'other', 'quick']) {
    const { body } = await rig.ask(`POST /api/scenarios/${name}/run?wait=60`, { mode: 'dry-run' });
    ids.push(String(body.run_id));
  }
  return ids;
}

const status = async (rig: ServerRig, id: string) =>
  String((await rig.ask(`GET /api/runs/${id}/verify`)).body.status);
/** `unsealed` where the seal was deleted. */
const FAULT = /^(tampered|unsealed)$/;

/** The index reads the files of a record that is new or has changed when it has time. */
async function untilListedAsDamaged(rig: ServerRig, id: string): Promise<void> {
  for (;;) {
    const { damaged } = (await rig.ask('GET /api/runs')).body as { damaged: Json[] };
    if (damaged.some(({ run_id }) => run_id === id)) return;
    await systemClock.sleep(10);
  }
}

test(`REC-003 ${TAMPERINGS} of ${TAMPERINGS} tamperings while the server runs are found by verify, report and list`, () =>
  onServerRig({ quick: QUICK, other: QUICK.replace('Quick', 'Other') }, async (rig) => {
    const ids = await threeRuns(rig);
    const { key } = (await rig.ask('GET /health')).body as { key: Json };
    assert.match(String(key.fingerprint), /^SHA256:/);
    const random = seededRandom(7);
    for (let n = 0; n < TAMPERINGS; n++) {
      const { what, runs, undo } = tamper(rig.runsFolder, random);
      for (const id of runs) {
        assert.match(await status(rig, id), FAULT, `${n}: ${what}`);
        assert.is((await rig.ask(`GET /api/runs/${id}/report`)).status, 503, `${n}: ${what}`);
        await untilListedAsDamaged(rig, id);
      }
      undo();
    }
    for (const id of ids) {
      const { body } = await rig.ask(`GET /api/runs/${id}/verify`);
      assert.equal([body.status, body.key], ['sealed', key], JSON.stringify(body));
    }
    const left = tamper(rig.runsFolder, random);
    await end(rig.server);
    await rig.restart();
    for (const id of left.runs) {
      assert.match(await status(rig, id), FAULT, `after a restart: ${left.what}`);
      await untilListedAsDamaged(rig, id);
    }
    assert.is((await rig.ask('GET /api/runs/r-20000101-0001/verify')).status, 404);
  }));

/** Removals of the seal while the server runs, and of these the ones that are followed by a restart. */
const REMOVALS = 40;
const RESTARTS = 8;

test(
  `REC-003 ${REMOVALS} removals of a seal, ${RESTARTS} of them with a restart, are NOT SEALED, and no start seals the record anew`,
  () =>
    onServerRig({ quick: QUICK, other: QUICK.replace('Quick', 'Other') }, async (rig) => {
      const ids = await threeRuns(rig);
      for (const id of ids) assert.is((await rig.ask(`GET /api/runs/${id}`)).body.seal, 'sealed');
      const random = seededRandom(13);
      for (let n = 0; n < REMOVALS; n++) {
        const isRestart = n % (REMOVALS / RESTARTS) === 0;
        // Also while no server runs; what it knows is in its index.
        if (isRestart) await end(rig.server);
        const { what, runs, undo } = removeSeal(rig.runsFolder, random);
        if (isRestart) await rig.restart();
        const [id = ''] = runs;
        await untilListedAsDamaged(rig, id);
        assert.match(await status(rig, id), FAULT, `${n}: ${what}`);
        assert.not.equal((await rig.ask(`GET /api/runs/${id}/report`)).status, 200, `${n}: ${what}`);
        assert.not.ok(existsSync(join(rig.runsFolder, id, 'seal.json')), `${n}: ${what}`);
        const { runs: listed } = (await rig.ask('GET /api/runs')).body as { runs: Json[] };
        assert.equal(
          listed.map(({ seal }) => seal),
          ['sealed', 'sealed'],
          `${n}: ${what}`,
        );
        undo();
      }
      for (const id of ids) assert.is(await status(rig, id), 'sealed');
    }),
  { timeoutMs: 180_000 },
);

test.run();
