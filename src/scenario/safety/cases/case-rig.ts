import { DEFAULT_LIMITS, type InterlockEntry, type Limits } from '../../../rig/configuration/types.ts';
import { interlockOf } from '../../../rig/interlocks/interlock.ts';
import { type Peripheral, Registry } from '../../../rig/registry/registry.ts';
import { DEFAULT_TIMEOUTS, type Timeouts } from '../../run/timeouts.ts';
import { parseDuration } from '../../values/duration.ts';
import type { SafetyOptions } from '../safety-check.ts';

/** The rules that a rig ships with. */
export const SHIPPED: readonly InterlockEntry[] = [
  {
    id: 'pump-line',
    reason: 'the pump must not work against closed valves',
    while: { pump: true },
    require: 'any',
    states: { 'valve-1': true, 'valve-2': true, 'valve-3': true },
  },
  {
    id: 'lung-line',
    reason: 'the bellows must not work against a closed line',
    while: { lung: true },
    require: 'all',
    states: { 'valve-nc': true },
  },
];

/**
 * The rig of a case, by its option lines:
 * `--shipped` the shipped interlocks; `--interlock valve-8 on needs valve-7 off [and|or ...]` one more;
 * `--limit pumpMaxPct=80`; `--timeout goalMs=5 min`; `--peripheral lamp` one without driver;
 * `--safe-open valve-8` a valve whose safe value is open;
 * `--scale 20` full scale of the pump, l/min; `--variable x=5 %`.
 * @throws Error for an option that does not exist
 */
export function caseRig(lines: readonly string[], place: string): SafetyOptions {
  const peripherals: Peripheral[] = [];
  const interlocks: InterlockEntry[] = [];
  const limits: Limits = { ...DEFAULT_LIMITS };
  const timeouts: Partial<Record<keyof Timeouts, number>> = {};
  const variables: Record<string, string> = {};
  let pumpFullScaleLpm = 10;
  for (const line of lines) {
    const fail = () => new Error(`${place}: no such option, or not written so: ${line}`);
    const [, option, argument = ''] = /^--(\S+)(?:\s+(.*))?$/.exec(line) ?? [];
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/.exec(argument) ?? [];
    if (option === 'shipped') interlocks.push(...SHIPPED);
    else if (option === 'interlock') interlocks.push(ruleOf(argument, interlocks.length, fail));
    else if (option === 'limit' && key in limits) limits[key as keyof Limits] = Number(value);
    else if (option === 'timeout' && key in DEFAULT_TIMEOUTS)
      timeouts[key as keyof Timeouts] = parseDuration(value) ?? Number.NaN;
    else if (option === 'peripheral') peripherals.push({ id: argument, kind: 'other' });
    else if (option === 'safe-open') peripherals.push({ id: argument, kind: 'valve', safeValue: true });
    else if (option === 'scale') pumpFullScaleLpm = Number(argument);
    else if (option === 'variable' && key !== '') variables[key] = value;
    else throw fail();
  }
  const registry = new Registry({ peripherals, pumpFullScaleLpm });
  return {
    registry,
    limits,
    interlocks: interlocks.map((entry) => interlockOf(entry, registry)),
    timeouts,
    variables,
  };
}

/** `pump on and valve-8 off needs valve-1 on or valve-2 on` */
function ruleOf(text: string, count: number, fail: () => Error): InterlockEntry {
  const [condition, demand] = text.split(' needs ');
  if (condition === undefined || demand === undefined) throw fail();
  return {
    id: `rule-${count + 1}`,
    reason: 'a rule of this case',
    while: statesOf(condition, fail),
    require: demand.includes(' or ') ? 'any' : 'all',
    states: statesOf(demand, fail),
  };
}

function statesOf(text: string, fail: () => Error): Record<string, boolean> {
  return Object.fromEntries(
    text.split(/ and | or /).map((part) => {
      const [, name, state] = /^(\S+) (on|off)$/.exec(part.trim()) ?? [];
      if (name === undefined) throw fail();
      return [name, state === 'on'];
    }),
  );
}
