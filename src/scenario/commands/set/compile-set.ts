import { lungCommand } from '../../../rig/actuators/lung-command.ts';
import { type PumpRefusal, pumpPower } from '../../../rig/actuators/pump-power.ts';
import { parseValveWord, VALVE_WORDS } from '../../../rig/actuators/valve-word.ts';
import type { Peripheral } from '../../../rig/registry/registry.ts';
import { differenceOf, findUnit } from '../../../rig/units/units.ts';
import type { Fix } from '../../diagnostics/diagnostic.ts';
import { suggest } from '../../diagnostics/suggest.ts';
import { noteReferences } from '../../program/compile/conditions.ts';
import { defineVariable } from '../../program/compile/define-variable.ts';
import { looksLikeActuator } from '../../program/compile/looks-like-actuator.ts';
import { PARAMETERS, type Scope, type Site } from '../../program/compile/scope.ts';
import type { Operation, ParameterName } from '../../program/instruction.ts';
import type { Value } from '../../program/operand.ts';
import type { Pos } from '../../source/position.ts';
import { formatNumber } from '../../values/number.ts';
import { parseQuantity } from '../../values/quantity.ts';

export interface SetRequest {
  readonly target: string;
  readonly targetPos: Pos;
  readonly value: Value;
  readonly valuePos: Pos;
  /** Arrow and TASK forms always name an actuator, never a variable. */
  readonly actuatorOnly?: boolean;
}

/** What a SET means: the first match wins. */
export function compileSet(request: SetRequest, scope: Scope, site: Site): Operation {
  const { target, targetPos, value, valuePos } = request;
  noteReferences(value, valuePos, scope, site);
  if (value.kind === 'text') scope.names.reference(value.text, () => undefined);
  if (!request.actuatorOnly && PARAMETERS.has(target))
    return compileParameter(target as ParameterName, value, valuePos, scope, site);
  const peripheral = scope.registry.peripheral(target);
  if (peripheral) {
    if (!site.definition) scope.names.usePeripheral(peripheral.id);
    checkValue(peripheral, request, scope, site);
    return { op: 'actuate', peripheral: peripheral.kind, target, id: peripheral.id, value };
  }
  if (site.definition && target.includes('$')) return { op: 'unknown-target', target, code: 'SCN221' };
  const isVariable =
    !request.actuatorOnly && scope.names.isDeclared(target) && !scope.registry.sensor(target);
  if (!isVariable && (request.actuatorOnly || looksLikeActuator(target))) {
    site.report('SCN221', `"${target}" is not an actuator of this rig; nothing is sent`, targetPos, {
      suggestion: suggest(target, scope.registry.peripheralNames()),
    });
    return { op: 'unknown-target', target, code: 'SCN221' };
  }
  const plainName =
    isVariable ||
    target === 'timeout' ||
    scope.isReadSomewhere(target) ||
    /^\p{Lu}[\p{Lu}\p{N}_]*$/u.test(target);
  if (plainName && !scope.registry.sensor(target)) {
    defineVariable(target, targetPos, scope, site, { value });
    return { op: 'set-variable', name: target, value };
  }
  const isSensor = scope.registry.sensor(target) !== undefined;
  site.report(
    'SCN220',
    isSensor
      ? `"${target}" is a sensor and cannot be set`
      : `"${target}" is neither an actuator nor a parameter, and no line reads it as a variable; correct the name or declare it with VAR`,
    targetPos,
    {
      suggestion: suggest(target, [...scope.registry.peripheralNames(), ...PARAMETERS]),
      ...(isSensor ? { severity: 'E' as const } : {}),
    },
  );
  return { op: 'unknown-target', target, code: 'SCN220' };
}

export function compileParameter(
  name: ParameterName,
  value: Value,
  pos: Pos,
  scope: Scope,
  site: Site,
): Operation {
  const text = value.kind === 'text' ? value.text : undefined;
  if (text !== undefined) site.report('SCN125', `${name} takes a number, found "${text}"`, pos);
  if (value.kind === 'quantity' && !(value.value > 0) && !(name === 'LUNG_PAUSE' && value.value === 0))
    site.report('SCN125', `${name} must be above 0, found ${formatNumber(value.value)}`, pos);
  const isKept = scope.names.isGiven(name);
  if (name === 'PUMP_FLOW_FULL_SCALE_LPM' && value.kind === 'quantity' && value.value > 0 && !isKept)
    scope.fullScaleLpm = value.value;
  return { op: 'set-parameter', name, value };
}

function checkValue(peripheral: Peripheral, request: SetRequest, scope: Scope, site: Site): void {
  const { value } = request;
  if (value.kind !== 'quantity' && value.kind !== 'text') return;
  if (peripheral.kind === 'valve') checkValve(request, site);
  else if (peripheral.kind === 'pump') checkPump(peripheral, request, scope, site);
  else if (peripheral.kind === 'lung') checkLung(request, site);
}

const wordOf = (value: Value): string =>
  value.kind === 'quantity'
    ? `${formatNumber(value.value)}${value.unit === undefined ? '' : ` ${value.unit}`}`
    : value.kind === 'text'
      ? value.text
      : '';

function checkValve({ target, value, valuePos }: SetRequest, site: Site): void {
  const word = wordOf(value);
  if (parseValveWord(word) !== undefined) return;
  const words = [...VALVE_WORDS.open, ...VALVE_WORDS.closed];
  site.report('SCN223', `"${word}" is not a state of ${target}; write on or off`, valuePos, {
    suggestion: suggest(word, words),
  });
}

function checkLung({ target, value, valuePos }: SetRequest, site: Site): void {
  const word = wordOf(value);
  const amount =
    value.kind === 'quantity'
      ? { value: value.value, ...(value.unit === undefined ? {} : { unit: value.unit }) }
      : parseQuantity(word);
  if (!lungCommand(word, amount))
    site.report(
      'SCN223',
      `"${word}" is not a command of ${target}; write start, stop, a number of cycles or a volume`,
      valuePos,
    );
}

function checkPump(
  peripheral: Peripheral,
  { target, value, valuePos }: SetRequest,
  scope: Scope,
  site: Site,
): void {
  const word = wordOf(value);
  if (value.kind === 'text') {
    if (!/^(on|off)$/i.test(word.trim()))
      site.report(
        'SCN223',
        `"${word}" is not a setpoint for ${target}; write a flow such as 5 l/min, a percentage, on or off`,
        valuePos,
      );
    return;
  }
  if (value.kind !== 'quantity') return;
  const fullScale = peripheral.fullScaleLpm ?? scope.fullScaleLpm;
  const power = pumpPower(value.value, value.unit, fullScale);
  if ('refusal' in power) reportPump(power.refusal, target, value.value, valuePos, site);
}

function reportPump(refusal: PumpRefusal, target: string, value: number, pos: Pos, site: Site): void {
  switch (refusal.reason) {
    case 'percent-out-of-range':
      return site.report(
        'SCN224',
        `${formatNumber(refusal.percent)} % is outside 0..100 % of ${target}`,
        pos,
      );
    case 'flow-over-scale':
      return site.report(
        'SCN229',
        `${formatNumber(refusal.lpm)} l/min is more than the full scale of ${target}, ${formatNumber(refusal.fullScaleLpm)} l/min; lower it or correct PUMP_FLOW_FULL_SCALE_LPM`,
        pos,
      );
    case 'negative-flow':
      return site.report(
        'SCN225',
        `${formatNumber(refusal.amount)} is negative, but ${target} turns one way only`,
        pos,
      );
    case 'volume-unit': {
      const fix: Fix = { pos, text: `'${formatNumber(value)} l/min'` };
      return site.report(
        'SCN226',
        `${refusal.unit} is a volume; ${target} takes a flow (l/min) or a percentage (%)`,
        pos,
        {
          suggestion: `'${formatNumber(value)} l/min' or '${formatNumber(value)} %'`,
          fix,
        },
      );
    }
    case 'incompatible-unit':
      return findUnit(refusal.unit)
        ? site.report(
            'SCN240',
            `${refusal.unit} is not a unit of flow${differenceOf(refusal.unit, 'l/min')}; ${target} takes l/min or %`,
            pos,
          )
        : site.report(
            'SCN223',
            `"${formatNumber(value)} ${refusal.unit}" is not a setpoint for ${target}; write l/min or %`,
            pos,
          );
    case 'bad-value':
      return site.report(
        'SCN223',
        `no setpoint of ${target}; write a flow such as 5 l/min, a percentage, on or off`,
        pos,
      );
  }
}
