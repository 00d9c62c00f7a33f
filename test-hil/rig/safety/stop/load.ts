import { systemClock } from '../../../../src/lib/clock/clock.ts';

/**
 * A process that saturates the valves' line: four readers read the valves back to back, and the holder of the lease runs
 * the pump and switches a valve to and fro. After each safe state it takes a new lease and goes on.
 */
const [url = ''] = process.argv.slice(2);
const OWNER = JSON.stringify({ owner: 'load', ttl_ms: 60_000 });
const RETRY_MS = 5;

/** Over and over; a bridge that is being ended, or is not back yet, is waited for. */
async function always(work: () => Promise<void>): Promise<never> {
  for (;;) await work().catch(() => systemClock.sleep(RETRY_MS));
}

async function read(): Promise<void> {
  await (await fetch(`${url}/api/v1/hardware/valves`)).arrayBuffer();
}

async function actuate(): Promise<void> {
  const lease = await taken();
  const isGood = (path: string) => post(path, { 'x-lease-id': lease });
  if (!(await isGood('/api/v1/hardware/pump?power_pct=20'))) return;
  for (let open = true; await isGood(`/api/v1/hardware/valve/valve-1?value=${open}`); open = !open) {}
}

async function taken(): Promise<string> {
  for (;;) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/v1/lease`, { method: 'POST', headers, body: OWNER });
    const { lease_id } = (await response.json()) as { lease_id?: string };
    if (lease_id !== undefined) return lease_id;
    await systemClock.sleep(RETRY_MS);
  }
}

async function post(path: string, headers: Record<string, string>): Promise<boolean> {
  const response = await fetch(url + path, { method: 'POST', headers });
  await response.arrayBuffer();
  return response.ok;
}

process.once('SIGTERM', () => process.exit(0));
void Promise.all([...[1, 2, 3, 4].map(() => always(read)), always(actuate)]);
