import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { SafetyRig } from '../safety/safety-rig.ts';

const test = suite('svc-guard, svc-pump and PM2');
/** PM2 waits longer each time before it starts a service again: 15 s at most. */
const UP_LIMIT_MS = 40_000;

const post = (rig: SafetyRig, what: string) =>
  fetch(`${rig.bridgeUrl}/api/v1/hardware/${what}`, { method: 'POST' });

/** A valve open and the pump on. There is a safe state whenever a device is back: then all begins anew. */
async function actuate(rig: SafetyRig): Promise<void> {
  for (;;) {
    const open = await post(rig, 'valve/valve-1?value=true');
    const on = await post(rig, 'pump?power_pct=40');
    if (open.status === 200 && on.status === 200) return;
    for (const { status } of [open, on]) assert.ok([200, 409].includes(status), String(status));
    await systemClock.sleep(50);
  }
}

test(
  'SVC-041 svc-pump is killed, then stands still: the twins are off, PM2 starts it again, and the next run passes',
  async () => {
    const rig = await SafetyRig.open();
    try {
      const guard = rig.pidOf('svc-guard');
      for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
        await actuate(rig);
        rig.trace.advance();
        assert.equal(rig.trace.on.length, 2, rig.trace.on.join());
        const pid = rig.pidOf('svc-pump');
        process.kill(pid, signal);
        do {
          await systemClock.sleep(20);
          rig.trace.advance();
        } while (rig.trace.on.length > 0);
        await rig.untilUp(UP_LIMIT_MS);
        assert.is.not(rig.pidOf('svc-pump'), pid, signal);
        const { code, stdout, stderr } = await rig.prove().ended;
        assert.is(code, 0, stdout + stderr);
      }
      assert.is(rig.pidOf('svc-guard'), guard);
      const log = readFileSync(join(rig.folder.logs, 'svc-guard.err.log'), 'utf8');
      const lost = log.match(/the service of pump-motor is not responding: [^;"]*/g) ?? [];
      assert.equal(
        lost.map((line) => line.split(': ')[1]),
        ['its process has ended', 'no heartbeat for 2 s'],
      );
    } finally {
      await rig.close();
    }
  },
  { timeoutMs: 180_000 },
);

test(
  'SVC-053 however often bridge and guard are killed, PM2 starts both again without waiting longer each time',
  async () => {
    const rig = await SafetyRig.open({ env: { SVC_GUARD_PARTNER: '0' } });
    try {
      const tookMs: string[] = [];
      for (let round = 0; round < 6; round++)
        for (const name of ['svc-bridge', 'svc-guard'] as const) {
          const pid = rig.pidOf(name);
          process.kill(pid, 'SIGKILL');
          const startedAt = performance.now();
          while (rig.processes().every((one) => one.name !== name || one.pid === pid))
            await systemClock.sleep(5);
          tookMs.push(`${name} ${(performance.now() - startedAt).toFixed(0)}`);
        }
      process.stdout.write(`milliseconds until PM2 had started it: ${tookMs.join(', ')}\n`);
      const log = readFileSync(join(rig.folder.pm2, 'pm2.log'), 'utf8');
      // So PM2 announces a delay that grows from one restart to the next.
      assert.not.match(log, /App \[svc-(bridge|guard):\d+\] will restart in/);
      await rig.untilUp(UP_LIMIT_MS);
      const health = async () =>
        (await (await fetch(`${rig.bridgeUrl}/health`)).json()) as { guard: { watching: boolean } };
      while (!(await health()).guard.watching) await systemClock.sleep(20);
    } finally {
      await rig.close();
    }
  },
  { timeoutMs: 180_000 },
);

test.run();
