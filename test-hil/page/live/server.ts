// node --import tsx <this file>: svc-server as it is, on a bridge in its own process that answers every reading at once, so
// that what is measured is the way from the reading to the page. A reading is the moment at which it was made.
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { runProgram } from '../../../src/rig/service/program.ts';
import { startServer } from '../../../src/services/server/start-server.ts';
import { MemoryBridge } from '../../../src/test-kit/scenario/memory-bridge.ts';
import { machineMs } from '../../rig/safety/stop/machine-time.ts';
import { UNIT, WRAP_MS } from './scenario.ts';

const NO_FAULTS = { actuation: 0, reading: 0, leaseLoss: 0 };
const bridge = new MemoryBridge(systemClock, () => 0.5, NO_FAULTS);

runProgram({
  service: 'svc-server',
  description: 'svc-server on a bridge that answers at once',
  prefix: 'SVC_API',
  defaultPort: 0,
  endLimitMs: 9500,
  start: (context) =>
    startServer({
      ...context,
      cwd: process.cwd(),
      fetch: async (url, init) => {
        if (url.endsWith('/hardware/health')) {
          const health = (await (await bridge.fetch(url, init)).json()) as object;
          const components = Object.fromEntries(
            context.config.plugins.map(({ id }) => [id, { status: 'ok' }]),
          );
          return Response.json({ ...health, components });
        }
        const [, sensor] = /\/sensor\/([^/?]+)/.exec(url) ?? [];
        if (sensor === undefined) return bridge.fetch(url, init);
        const value = machineMs() % WRAP_MS;
        const body = { ok: true, sensor_id: sensor, value, unit: UNIT, age_ms: 0 };
        return Response.json(body);
      },
    }),
});
