import { parseValveWord } from '../../../rig/actuators/valve-word.ts';
import type { Peripheral } from '../../../rig/registry/registry.ts';
import type { Instruction } from '../../program/instruction.ts';
import { AT_REST, type Effect, OFF, ON, type Problem } from '../../safety/effect.ts';
import { lungStart } from '../../safety/lung-setpoint.ts';
import type { Range } from '../../safety/parameter-range.ts';
import { pumpEffects } from '../../safety/pump-setpoint.ts';
import { textsOf } from '../../safety/resolve-value.ts';
import type { SetpointContext } from '../../safety/setpoint.ts';
import { parseNumber } from '../../values/number.ts';

type Api = Extract<Instruction, { op: 'api' }>;

/** The states that a call may put one actuator into. */
export interface Change {
  readonly peripheral: Peripheral;
  readonly effects: readonly Effect[];
}

export interface ApiEffect {
  readonly changes: readonly Change[];
  readonly problems: readonly Problem[];
  /**
   * The safe state: everything except peripherals without a driver is switched off, in an order that needs no
   * interlock.
   */
  readonly makesSafe?: boolean;
}

const NOTHING: ApiEffect = { changes: [], problems: [] };

/** What the request of an API_ command may do to the actuators. Reads do nothing; an unknown call is a finding. */
export function apiEffect({ method, path, body }: Api, context: SetpointContext): ApiEffect {
  if (method === 'GET') return NOTHING;
  const { variables } = context;
  const paths = textsOf(path, variables);
  if (!paths) return unclear(`the target of API_${method} ${path} is known only at run time`);
  const effects = paths.map((text): ApiEffect => {
    // As the request itself does: `.` and encoded letters lead to the same place.
    const address = `http://rig${text.startsWith('/') ? '' : '/'}${text}`;
    if (!URL.canParse(address)) return unclear(`the path ${text} is not encoded correctly`);
    const url = new URL(address);
    const parts = url.pathname.split('/').slice(1).map(decoded);
    if (parts.includes(undefined)) return unclear(`the path ${text} is not encoded correctly`);
    if (parts[0] === 'api' && parts[1] !== 'v1') return NOTHING;
    return bridgeCall(`${method} /${parts.join('/')}`, url.searchParams, body, context);
  });
  return {
    changes: effects.flatMap(({ changes }) => changes),
    problems: effects.flatMap(({ problems }) => problems),
    makesSafe: effects.some(({ makesSafe }) => makesSafe === true),
  };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const unclear = (why: string): ApiEffect => ({
  changes: [],
  problems: [
    {
      code: 'SCN277',
      message: `${why}, so the actuator it moves is unknown; use SET for actuators, and literal paths for other calls`,
    },
  ],
});

const HARDWARE = '/api/v1/hardware';

/** The routes of the bridge that act. */
function bridgeCall(
  route: string,
  query: URLSearchParams,
  body: string | undefined,
  context: SetpointContext,
): ApiEffect {
  const { registry } = context;
  const twice = [...query.keys()].find((name, index, all) => all.indexOf(name) !== index);
  if (twice !== undefined) return unclear(`${route} has ${twice} twice`);
  const changed = (name: string, kind: Peripheral['kind'], effects: readonly Effect[]): ApiEffect => {
    const peripheral = registry.peripheral(name);
    if (!peripheral) return unclear(`"${name}" is not an actuator known to this check`);
    // The bridge refuses one of another kind.
    return peripheral.kind === kind ? { changes: [{ peripheral, effects }], problems: [] } : NOTHING;
  };
  if (route === `POST ${HARDWARE}/pump`) return pumpCall(query, context);
  if (route === `POST ${HARDWARE}/lung`) return lungCall(query, context);
  if (route === `POST ${HARDWARE}/lung/stop` || route === `POST ${HARDWARE}/lung/disable`)
    return changed('lung-main', 'lung', [AT_REST]);
  if (route === `POST ${HARDWARE}/safe-state`) return { ...NOTHING, makesSafe: true };
  const valve = after(route, `POST ${HARDWARE}/valve/`);
  if (valve !== undefined) {
    const value = parseValveWord(query.get('value') ?? '');
    return changed(valve, 'valve', value === undefined ? [ON, OFF] : [value ? ON : OFF]);
  }
  const kept = after(route, 'PUT /api/v1/peripherals/');
  if (kept !== undefined) return changed(kept, 'other', keptEffects(body, context));
  if (/^\S+ \/api\/v1\/lease(\/|$)/.test(route))
    return {
      changes: [],
      problems: [
        {
          code: 'SCN277',
          message: `${route} changes the lease, which the final safe state needs; leave it to the run`,
        },
      ],
    };
  return unclear(`${route} is not a bridge call known to this check`);
}

const after = (text: string, start: string): string | undefined =>
  text.startsWith(start) && !text.slice(start.length).includes('/') ? text.slice(start.length) : undefined;

/** A number of the query; `initial` when absent; any number when it cannot be parsed. */
function numberIn(query: URLSearchParams, name: string, initial: number): Range {
  const text = query.get(name);
  const value = text === null ? initial : parseNumber(text);
  return value === undefined ? { low: 0, high: Number.POSITIVE_INFINITY } : { low: value, high: value };
}

function pumpCall(query: URLSearchParams, context: SetpointContext): ApiEffect {
  const { registry } = context;
  const peripheral = registry.peripheral('pump-main');
  if (peripheral?.kind !== 'pump') return NOTHING;
  const flow = query.get('flow_lpm');
  const number = numberIn(query, flow === null ? 'power_pct' : 'flow_lpm', Number.NaN);
  if (Number.isNaN(number.low)) return NOTHING;
  const factor = flow === null ? 1 : 100 / registry.pumpFullScaleLpm;
  const percents = [{ low: number.low * factor, high: number.high * factor }];
  const { effects, problems } = pumpEffects(peripheral.id, percents, context);
  return { changes: [{ peripheral, effects }], problems };
}

function lungCall(query: URLSearchParams, context: SetpointContext): ApiEffect {
  const peripheral = context.registry.peripheral('lung-main');
  if (peripheral?.kind !== 'lung') return NOTHING;
  const ranges = {
    steps: numberIn(query, 'steps', 500),
    speed: numberIn(query, 'speed', 10_000_000),
    cycles: numberIn(query, 'cycles', 5),
    pauseS: numberIn(query, 'pause', 0.5),
  };
  const { effects, problems } = lungStart(peripheral.id, ranges, context);
  return { changes: [{ peripheral, effects }], problems };
}

/** Both values of an untyped peripheral count: the current and the target value. */
function keptEffects(body: string | undefined, { variables }: SetpointContext): readonly Effect[] {
  const texts = body === undefined ? [] : (textsOf(body, variables) ?? ['?']);
  return texts.flatMap((text): readonly Effect[] => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return [ON, OFF];
    }
    if (typeof value !== 'object' || value === null) return [];
    const values = [
      'currentValue' in value && value.currentValue,
      'targetValue' in value && value.targetValue,
    ];
    return [values.every(isOff) ? OFF : ON];
  });
}

const isOff = (value: unknown): boolean =>
  value === false ||
  value === 0 ||
  value === null ||
  (typeof value === 'string' && parseValveWord(value) === false);
