/** `npm run bench:scenarios`: what GET /api/scenarios takes with 1,000 scenarios, first and from the catalog. */
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../lib/clock/clock.ts';
import { loadConfiguredRig } from '../../services/server/configured-rig.ts';
import { ScenarioCatalog } from '../../services/server/scenarios/scenario-catalog.ts';

const SCENARIOS = 1000;
const LISTS = 50;
const source = fileURLToPath(new URL('../../../scenarios/pump-ramp.oql', import.meta.url));

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-scenarios-'));
  try {
    for (let n = 0; n < SCENARIOS; n++) {
      const path = join(folder, `s${n}.oql`);
      writeFileSync(path, readFileSync(source));
      utimesSync(path, 1000, 1000);
    }
    const rig = () => loadConfiguredRig({ SVC_CONFIG_PATH: '/dev/null' }, folder);
    const catalog = new ScenarioCatalog({ folder, clock: systemClock, rig });
    const times: number[] = [];
    for (let n = 0; n <= LISTS; n++) {
      const startedAt = systemClock.monotonic();
      JSON.stringify(await catalog.list());
      times.push(systemClock.monotonic() - startedAt);
    }
    const [first = 0, ...others] = times;
    const at = (share: number) => others.sort((a, b) => a - b)[Math.ceil(share * LISTS) - 1]?.toFixed(1);
    process.stdout.write(
      `${SCENARIOS} scenarios: first list ${first.toFixed(0)} ms, then p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
