import { Plant } from '../../bench/plant/index.ts';
import { liveAddress, rigKey, stateDirOf } from '../../lib/liveness/live-address.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { MockRig } from '../../rig/hardware/mock/mock-rig.ts';
import type { Rig } from '../../rig/hardware/ports.ts';
import { adcStackComponent } from '../../rig/hardware/real/http/adc-stack.ts';
import { realDevices } from '../../rig/hardware/real/open-devices.ts';
import { RealRig } from '../../rig/hardware/real/real-rig.ts';
import { lungSettings } from '../../rig/hardware/real/tic-lung-settings.ts';
import { bridgeIdOf, rigOf } from '../../rig/hold/bridge-id.ts';
import type { RigSurroundings } from './start-bridge.ts';

/** The rig that the configuration asks for. Mock mode opens nothing; real mode opens in `Rig.open`. */
export function buildRig({ config, ...around }: RigSurroundings): Rig {
  const { clock } = around;
  const { plugins, adcMap } = config;
  if (config.hardwareMode === 'mock') {
    return new MockRig({ plant: new Plant({ clock, random: seededRandom(clock.now()) }), clock, plugins });
  }
  const stateDir = stateDirOf(around.env);
  const rig = rigOf(stateDir);
  const key = rigKey(stateDir);
  const bridge = {
    id: () => bridgeIdOf(rig, around.identity()),
    lifeAddress: (service: string) => liveAddress(service, key),
  };
  const lung = lungSettings(around.env);
  return new RealRig({
    devices: realDevices({ ...around, plugins, adcMap, lung, bridge }),
    adcStack: adcStackComponent({ plugins, clock, token: around.token }),
    plugins,
    hasAdcMap: adcMap !== undefined,
  });
}
