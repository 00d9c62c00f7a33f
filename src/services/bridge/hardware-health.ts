import { DEVICE_KINDS, type HealthKey } from '../../rig/device-kinds/index.ts';
import { isValveBoard, valveBoard } from '../../rig/device-kinds/valve-board.ts';
import { cappedCheck } from '../../rig/hardware/capped-check.ts';
import type { Component, ComponentHealth } from '../../rig/hardware/ports.ts';
import type { Bridge } from './bridge.ts';
import { operatorStopView } from './routes/operator-stop.ts';

const PROBE_LIMIT_MS = 2500;

/** Short keys of the answer, for existing scripts, with the first plugin of each. */
const SHORT_KEYS = DEVICE_KINDS.flatMap(({ healthKey, names: [id] }) =>
  healthKey !== null && id !== undefined ? [[healthKey as HealthKey, id] as const] : [],
);

const OWN_KEYS = new Set<string>([
  ...['mode', 'ok', 'not_safe', 'components', 'power', 'simulated', 'bench', 'operator_stop'],
  ...SHORT_KEYS.map(([key]) => key),
]);

/** The answer of GET /api/v1/hardware/health, within 3 s. */
export async function hardwareHealth(bridge: Bridge) {
  const { rig, config } = bridge;
  const mock = rig.mode === 'mock';
  const { notSafe } = bridge.safeState;
  const [checks, power] = await Promise.all([
    Promise.all(rig.components.map(async (one) => [one.id, await checked(bridge, one)] as const)),
    bridge.power.state(),
  ]);
  const byId = new Map(checks);
  const short = Object.fromEntries(
    SHORT_KEYS.map(([key, id]) => [key, shortText(byId.get(id), mock)]),
  ) as Record<HealthKey, string>;
  // One word for all valves: that of the first board that is not well.
  const boards = checks.flatMap(([id, health]) => (isValveBoard(id) ? [health] : []));
  short.modbus = shortText(
    boards.find(({ status }) => status !== 'ok' && status !== 'disabled') ?? boards[0],
    mock,
  );
  // An added name never takes the place of what is said of the rig: a script would take one device for another.
  const added = Object.entries(config.healthKeys).filter(([name]) => !OWN_KEYS.has(name));
  const enabled = checks.filter(([, health]) => health.status !== 'disabled');
  return {
    mode: rig.mode,
    ok:
      !mock &&
      notSafe === null &&
      enabled.length > 0 &&
      enabled.every(([, health]) => health.status === 'ok'),
    not_safe: notSafe,
    ...short,
    ...Object.fromEntries(added.map(([name, key]) => [name, short[key as HealthKey] ?? 'not_configured'])),
    components: Object.fromEntries(checks.map(([id, health]) => [id, view(health)])),
    power: {
      source: power.source,
      undervoltage_now: power.undervoltageNow,
      undervoltage_since_boot: power.undervoltageSinceBoot,
    },
    simulated: mock,
    bench: rig.bench,
    operator_stop: operatorStopView(bridge),
  };
}

/** A caller that asks while a component is being asked gets that answer: it is still to come. */
function checked(bridge: Bridge, component: Component): Promise<ComponentHealth> {
  const { checks } = bridge;
  const running = checks.get(component.id);
  if (running !== undefined) return running;
  const made = check(bridge, component).finally(() => checks.delete(component.id));
  checks.set(component.id, made);
  return made;
}

function check({ clock }: Bridge, component: Component): Promise<ComponentHealth> {
  if (!isValveBoard(component.id)) return cappedCheck(component, { clock, limitMs: PROBE_LIMIT_MS });
  const { limitMs, late } = valveBoard.probe;
  return cappedCheck(component, { clock, limitMs, late: late(component.path) });
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
