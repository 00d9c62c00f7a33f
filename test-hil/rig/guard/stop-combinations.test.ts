import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import type { Program } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { onGuardedRig } from './guarded-rig.ts';
import { guardOfWhole, whole } from './whole-rig.ts';

const test = suite('svcctl stop beside processes that are frozen or dead');

const STATES = ['alive', 'frozen', 'dead'] as const;
type State = (typeof STATES)[number];

interface Combination {
  bridge: State;
  guard: State;
  service: 'pump' | 'lung';
  serviceState: State;
}

const all: Combination[] = STATES.flatMap((bridge) =>
  STATES.flatMap((guard) =>
    (['pump', 'lung'] as const).flatMap((service) =>
      STATES.map((serviceState) => ({ bridge, guard, service, serviceState })),
    ),
  ),
);
/** Two of them at most, or all frozen; of the lung, which goes the same ways, those in which the bridge is asked. */
const combinations = all.filter(({ bridge, guard, service, serviceState }) => {
  const states = [bridge, guard, serviceState];
  const alive = states.filter((state) => state === 'alive').length;
  if (service === 'lung') return bridge === 'alive' && serviceState === 'frozen';
  return alive > 0 || states.every((state) => state === 'frozen');
});

function put({ child }: Program, state: State): void {
  if (state === 'frozen') child.kill('SIGSTOP');
  if (state === 'dead') child.kill('SIGKILL');
}

const one = ({ bridge, guard, service, serviceState }: Combination) =>
  onGuardedRig(async (rig) => {
    const services = await whole(rig);
    const watching = await guardOfWhole(rig, services);
    await rig.actuate(services.bridge);
    const lung = `${services.bridge.url}/api/v1/hardware/lung?steps=100000&speed=10000000&cycles=1&pause=0`;
    assert.is((await fetch(lung, { method: 'POST' })).status, 200);
    // The guard first: a living one would act on what follows before the stop does.
    put(watching, guard);
    put(services[service], serviceState);
    put(services.bridge, bridge);
    const env = { SVC_FIRMWARE_URL: services.bridge.url };
    const { code, stdout, stderr } = await rig.svcctl(['stop', '--json'], env).ended;
    assert.is(code, 0, stdout + stderr);
    const { outcome } = JSON.parse(stdout) as { outcome: string };
    assert.equal([outcome, await rig.outputsOn()], ['safe', []], stdout);
  });

together(
  test,
  Object.fromEntries(
    combinations.map((combination) => {
      const { bridge, guard, service, serviceState } = combination;
      const title = `SVC-055 bridge ${bridge}, guard ${guard}, svc-${service} ${serviceState}: one stop makes the rig safe`;
      return [title, () => one(combination)];
    }),
  ),
  { timeoutMs: 400_000, atOnce: 2 },
);

test.run();
