import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { together } from '../bench/together.ts';
import type { SafetyRig } from '../safety/safety-rig.ts';
import { actuate, entriesOf, isSupplied, pidsOf, pulseRig, supplyMoves, untilSupply } from './pulse-rig.ts';

const test = suite('pulses of svc-guard for the watchdog relay');
/** What the relay has to cover: nothing is left that could switch anything off. */
const ALL = ['pm2', 'svc-bridge', 'svc-guard', 'svc-guard-partner', 'svc-pump', 'svc-lung'] as const;

async function onRig(work: (rig: SafetyRig) => Promise<void>): Promise<void> {
  const rig = await pulseRig();
  try {
    await untilSupply(rig, true);
    await rig.untilPartner();
    await actuate(rig);
    await work(rig);
  } finally {
    await rig.close('SIGKILL');
  }
}

/** Strikes all of them at one moment. @returns that moment, wall clock */
function strike(rig: SafetyRig, signal: 'SIGKILL' | 'SIGSTOP', names: Parameters<typeof pidsOf>[1] = ALL) {
  const pids = pidsOf(rig, names);
  assert.is(pids.length, names.length);
  const atMs = systemClock.now();
  for (const pid of pids) process.kill(pid, signal);
  return atMs;
}

const commandedOff = (rig: SafetyRig, sinceMs: number) =>
  entriesOf(rig).filter(
    ({ at, kind, on, fraction }) =>
      Date.parse(at) > sinceMs && ((kind === 'coil' && on === false) || (kind === 'drive' && fraction === 0)),
  );

/** The supply is on again, and what was on had been commanded off before. */
async function assertOffBeforeSupply(rig: SafetyRig, struckMs: number): Promise<void> {
  const onMs = supplyMoves(rig).at(-1)?.atMs ?? 0;
  const valveOff = commandedOff(rig, struckMs).find(({ kind }) => kind === 'coil');
  const offAtMs = Date.parse(valveOff?.at ?? '');
  assert.ok(offAtMs <= onMs, `valve off ${onMs - offAtMs} ms before the supply was on`);
  assert.equal(await rig.outputsOn(), []);
}

const works = Object.fromEntries(
  (['SIGSTOP', 'SIGKILL'] as const).map((signal) => [
    `IMG-021 bridge, guards, PM2, pump and lung services all get ${signal} at once: the relay cuts the supply`,
    () =>
      onRig(async (rig) => {
        const struckMs = strike(rig, signal);
        await untilSupply(rig, false);
        const off = supplyMoves(rig).at(-1);
        assert.equal(commandedOff(rig, struckMs), [], 'no process switched anything off');
        const outputs = await (await fetch(`${rig.benchUrl}/bench/v1/outputs`)).json();
        const { plant } = outputs as { plant: Record<string, unknown> };
        assert.equal(
          [plant.pump_flow_lpm, plant.supply_v, (plant.valves_open as boolean[]).includes(true)],
          [0, 0, false],
        );
        process.stdout.write(`${signal}: supply off ${(off?.atMs ?? 0) - struckMs} ms after the signals\n`);
      }),
  ]),
);

together(
  test,
  {
    ...works,

    'IMG-021 the acting guard is killed: its partner pulses on; where it came too late, the supply comes back to a rig that is off':
      () =>
        onRig(async (rig) => {
          const before = supplyMoves(rig).length;
          const struckMs = strike(rig, 'SIGKILL', ['svc-guard']);
          // Longer than the relay holds.
          await systemClock.sleep(2000);
          if (supplyMoves(rig).length === before) {
            assert.equal((await rig.outputsOn()).length, 2, rig.lastWords());
            return;
          }
          // A loaded machine gave the partner no processor within 0.3 s. How it counts the gap is tested on a stepped clock.
          await untilSupply(rig, true);
          await assertOffBeforeSupply(rig, struckMs);
        }),

    'IMG-021 a guard that hangs and goes on after the relay has opened gives the supply back only to a rig that is off':
      () =>
        onRig(async (rig) => {
          const struckMs = strike(rig, 'SIGSTOP', ['svc-guard', 'svc-guard-partner']);
          await untilSupply(rig, false);
          for (const pid of pidsOf(rig, ['svc-guard', 'svc-guard-partner'])) process.kill(pid, 'SIGCONT');
          await untilSupply(rig, true);
          await assertOffBeforeSupply(rig, struckMs);
        }),

    'IMG-021 while the supply is off the bridge switches nothing on and grants no lease, and says why': () =>
      onRig(async (rig) => {
        await rig.knobs('relay', { no_input: true });
        await untilSupply(rig, false);
        const post = (path: string, body?: object) =>
          fetch(`${rig.bridgeUrl}/api/v1/${path}`, {
            method: 'POST',
            ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
          });
        for (;;) {
          const refused = await post('hardware/valve/valve-1?value=true');
          const said = await refused.text();
          if (refused.status === 503 && said.includes('the supply of the actuators is off')) break;
          await systemClock.sleep(50);
        }
        while ((await rig.outputsOn()).length > 0) await systemClock.sleep(20);
        const lease = await post('lease', { owner: 'anna', ttl_ms: 5000 });
        assert.is(lease.status, 503, await lease.text());
        await rig.knobs('relay', { no_input: false });
        await untilSupply(rig, true);
        await actuate(rig);
      }),

    'IMG-021 a welded contact is reported, and nothing is switched on with it': () =>
      onRig(async (rig) => {
        await rig.knobs('relay', { welded: true });
        // An interruption, after which the contact has to open.
        strike(rig, 'SIGKILL', ['svc-guard', 'svc-guard-partner']);
        for (;;) {
          const refused = await fetch(`${rig.bridgeUrl}/api/v1/hardware/valve/valve-1?value=true`, {
            method: 'POST',
          });
          if ((await refused.text()).includes('welded')) break;
          await systemClock.sleep(50);
        }
        assert.equal(await rig.outputsOn(), []);
        assert.ok(isSupplied(rig));
      }),

    'IMG-021 a chattering contact makes the rig safe': () =>
      onRig(async (rig) => {
        await rig.knobs('relay', { chatter_ms: 120 });
        while ((await rig.outputsOn()).length > 0) await systemClock.sleep(20);
      }),
  },
  { timeoutMs: 120_000, atOnce: 1 },
);

test.run();
