import type { PluginId } from '../../lib/config/types.ts';
import type { Component, ComponentHealth } from '../../rig/hardware/ports.ts';
import type { Bridge } from './bridge.ts';

const PROBE_LIMIT_MS = 2500;
const MODBUS_LIMIT_MS = 2000;

/** Short keys of the answer, for existing scripts. */
const SHORT_KEYS: readonly (readonly [key: string, id: PluginId])[] = [
  ['sensor_adc', 'sensor-adc'],
  ['motor', 'pump-motor'],
  ['lung', 'lung-motor'],
  ['modbus', 'modbus-io'],
];

/** The answer of GET /api/v1/hardware/health (services specification, section 10.2), within 3 s. */
export async function hardwareHealth(bridge: Bridge) {
  const { rig, config } = bridge;
  const mock = rig.mode === 'mock';
  const [checks, power] = await Promise.all([
    Promise.all(rig.components.map(async (one) => [one.id, await capped(bridge, one)] as const)),
    bridge.power.state(),
  ]);
  const byId = new Map(checks);
  const short: Record<string, string> = {};
  for (const [key, id] of SHORT_KEYS) short[key] = shortText(byId.get(id), mock);
  for (const [added, key] of Object.entries(config.healthKeys)) short[added] = short[key] ?? 'not_configured';
  const enabled = checks.filter(([, health]) => health.status !== 'disabled');
  return {
    mode: rig.mode,
    ok: !mock && enabled.length > 0 && enabled.every(([, health]) => health.status === 'ok'),
    ...short,
    components: Object.fromEntries(checks.map(([id, health]) => [id, view(health)])),
    power: {
      source: power.source,
      undervoltage_now: power.undervoltageNow,
      undervoltage_since_boot: power.undervoltageSinceBoot,
    },
    simulated: mock,
    bench: rig.bench,
  };
}

/** A probe that does not end in time is reported as such; silence is "no response", never "port blocked". */
async function capped(bridge: Bridge, component: Component): Promise<ComponentHealth> {
  const modbus = component.id === 'modbus-io';
  const limitMs = modbus ? MODBUS_LIMIT_MS : PROBE_LIMIT_MS;
  const stop = new AbortController();
  let cancel = () => {};
  const late = new Promise<ComponentHealth>((resolve) => {
    cancel = bridge.clock.after(limitMs, () => {
      resolve({
        status: modbus ? 'error' : 'timeout',
        compatible: false,
        code: modbus ? 'modbus_no_response' : 'device_timeout',
        message: modbus
          ? 'read_coils timed out; USB-serial adapter visible, RTU module did not answer'
          : `no answer within ${limitMs} ms`,
        endpoint: component.endpoint,
        latencyMs: limitMs,
        bench: false,
      });
      stop.abort(new Error('health probe ended'));
    });
  });
  try {
    return await Promise.race([component.check(stop.signal), late]);
  } finally {
    cancel();
  }
}

function shortText(health: ComponentHealth | undefined, mock: boolean): string {
  if (mock) return 'mock';
  if (!health) return 'not_configured';
  if (health.status === 'error' || health.status === 'timeout' || health.status === 'incompatible') {
    return `error: ${health.message.split(';')[0]}`;
  }
  return health.status;
}

function view(health: ComponentHealth) {
  const { latencyMs, holder, ...rest } = health;
  return { ...rest, latency_ms: Math.round(latencyMs), ...(holder === undefined ? {} : { holder }) };
}
