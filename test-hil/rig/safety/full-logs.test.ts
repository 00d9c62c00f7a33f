import { appendFileSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { RIG_SERVICES } from '../../../src/rig/profiles/rig-services.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { SafetyRig } from './safety-rig.ts';

const test = suite('the logs of a rig');

/** Every write to it fails with ENOSPC, as on a partition without room. */
const FULL = '/dev/full';

test(
  'SVC-061 with a full log partition a run is carried out and recorded, and a stop makes the rig safe',
  async () => {
    const rig = await SafetyRig.open({
      prepare: ({ logs }) => {
        // Standard output has the line by which a service says that it is ready.
        for (const name of RIG_SERVICES) symlinkSync(FULL, join(logs, `${name}.err.log`));
      },
    });
    try {
      // Each refusal would be a line of the log.
      for (let n = 0; n < 50; n++) assert.is((await fetch(`${rig.bridgeUrl}/no/${n}`)).status, 404);
      const port = /^SVC_API_PORT=(\d+)$/m.exec(readFileSync(rig.folder.settings, 'utf8'))?.[1];
      const url = `http://127.0.0.1:${port}/api/scenarios/pump-ramp/run?wait=90`;
      const answer = await fetch(url, { method: 'POST' });
      const run = (await answer.json()) as { run_id: string; status: string };
      assert.is(run.status, 'passed', JSON.stringify(run));
      const record = join(rig.folder.state, 'runs', run.run_id, 'events.ndjson');
      assert.match(readFileSync(record, 'utf8'), '"type":"run.end"');
      assert.is(
        (await fetch(`${rig.bridgeUrl}/api/v1/hardware/pump?power_pct=20`, { method: 'POST' })).status,
        200,
      );
      const stop = await rig.svcctl('stop', '--json').ended;
      assert.is(stop.code, 0, stop.stdout + stop.stderr);
      assert.is((JSON.parse(stop.stdout) as { outcome: string }).outcome, 'safe');
      assert.is(await rig.whyNotUp(), undefined);
    } finally {
      await rig.close();
    }
  },
  { timeoutMs: 180_000 },
);

test(
  'SVC-061 the log of PM2 itself is kept below logs.max_mb, and PM2 goes on writing to it',
  async () => {
    const rig = await SafetyRig.open();
    try {
      const path = join(rig.folder.pm2, 'pm2.log');
      // Half of the 20 MB that are the default: the other half is for the file before.
      appendFileSync(path, `${'x'.repeat(99)}\n`.repeat(100_000));
      while (statSync(path).size >= 10_000_000) await systemClock.sleep(50);
      assert.ok(statSync(`${path}.1`).size >= 10_000_000);
      process.kill(rig.pidOf('svc-pump'), 'SIGKILL');
      while (!readFileSync(path, 'utf8').includes('App [svc-pump:')) await systemClock.sleep(50);
    } finally {
      await rig.close();
    }
  },
  { timeoutMs: 180_000 },
);

test.run();
