import { hostname } from 'node:os';
import { clockSynchronised } from '../../lib/clock/clock-synchronised.ts';
import { type RigKey, rigIdOf } from './rig-key.ts';
import type { StationFacts } from './run-identity.ts';

/** What a record says of the machine that it is made on. */
export const stationFacts = (key: RigKey): StationFacts => ({
  station: { host: hostname(), rig_id: rigIdOf(key.public) },
  key: key.public,
  clock: { synchronised: clockSynchronised() },
});
