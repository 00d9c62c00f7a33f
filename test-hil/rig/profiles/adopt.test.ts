import process from 'node:process';
import * as assert from 'uvu/assert';
import { ownProcesses } from '../../../src/cli/start/own-processes.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { SafetyRig } from '../safety/safety-rig.ts';

const test = suite('services whose PM2 was killed');
const UP_LIMIT_MS = 40_000;

async function killSupervisor(rig: SafetyRig): Promise<void> {
  for (const pid of rig.daemons()) process.kill(pid, 'SIGKILL');
  while (rig.daemons().length > 0) await systemClock.sleep(20);
}

test(
  'SVC-057 services --adopt: PM2 killed and started anew; each old service ends safe, PM2 has new ones',
  async () => {
    const rig = await SafetyRig.open();
    try {
      await rig.untilPartner();
      const before = rig.processes();
      await killSupervisor(rig);
      // Whoever starts PM2 again by hand gets services that cannot take their ports and devices.
      await rig.start();
      for (const path of ['valve/valve-1?value=true', 'pump?power_pct=40']) {
        const answer = await fetch(`${rig.bridgeUrl}/api/v1/hardware/${path}`, { method: 'POST' });
        assert.is(answer.status, 200, await answer.text());
      }
      const adopted = await rig.svcctl('services', '--adopt').ended;
      assert.is(adopted.code, 0, adopted.stdout + adopted.stderr);
      for (const { name, pid } of before)
        assert.match(adopted.stdout, `ended ${name} (pid ${pid}), which had no supervisor\n`);
      await rig.untilUp(UP_LIMIT_MS);
      rig.trace.advance();
      assert.equal(rig.trace.on, []);
      const pids = new Set(before.map(({ pid }) => pid));
      assert.equal(
        rig.processes().filter(({ pid }) => pids.has(pid)),
        [],
      );
      const again = await rig.svcctl('services', '--adopt').ended;
      assert.is(again.code, 0, again.stdout + again.stderr);
      assert.not.match(again.stdout, /^(ended|started) /m);
      await rig.untilUp(UP_LIMIT_MS);
    } finally {
      await rig.close();
    }
  },
  { timeoutMs: 180_000 },
);

test(
  'SVC-057 services --adopt without any PM2 ends the old services and starts a PM2 with new ones',
  async () => {
    const rig = await SafetyRig.open();
    try {
      await killSupervisor(rig);
      const adopted = await rig.svcctl('services', '--adopt').ended;
      assert.is(adopted.code, 0, adopted.stdout + adopted.stderr);
      await rig.untilUp(UP_LIMIT_MS);
      assert.equal(
        ownProcesses(rig.folder, ['svc-bridge']).map(({ bornSupervised }) => bornSupervised),
        [true],
      );
    } finally {
      await rig.close();
    }
  },
  { timeoutMs: 180_000 },
);

test.run();
