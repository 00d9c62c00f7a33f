import { comparable, convert, findUnit } from '../../../rig/units/units.ts';
import type { Pos } from '../../source/position.ts';
import { formatNumber } from '../../values/number.ts';
import type { Condition, Operand, Subject, Value } from '../operand.ts';
import { resolveSubject, type Scope, type Site } from './scope.ts';

const unitOf = (value: Value | Operand): string | undefined => ('unit' in value ? value.unit : undefined);

/** Looks up the names of a condition and checks its units and bounds. */
export function resolveCondition(condition: Condition, pos: Pos, scope: Scope, site: Site): Condition {
  if (condition.kind === 'all' || condition.kind === 'any')
    return {
      kind: condition.kind,
      parts: condition.parts.map((part) => resolveCondition(part, pos, scope, site)),
    };
  if (condition.kind === 'range') {
    const subject = resolveOperand(condition.subject, pos, scope, site);
    noteReferences(condition.low, pos, scope, site);
    noteReferences(condition.high, pos, scope, site);
    checkRange(condition.low, condition.high, condition.lowInclusive && condition.highInclusive, pos, site);
    checkAskedUnit(
      subject,
      unitOf(condition.low) ?? unitOf(condition.high),
      placeOf(condition.subject, pos),
      scope,
      site,
    );
    return { ...condition, subject };
  }
  const left = resolveOperand(condition.left, pos, scope, site);
  const right = resolveOperand(textWhereMeant(condition, scope), pos, scope, site);
  if (isSubject(left)) checkAskedUnit(left, unitOf(right), placeOf(condition.left, pos), scope, site);
  else if (isSubject(right)) checkAskedUnit(right, unitOf(left), placeOf(condition.right, pos), scope, site);
  else {
    const a = unitOf(left);
    const b = unitOf(right);
    if (a !== undefined && b !== undefined && !comparable(a, b)) incompatible(a, b, pos, site);
  }
  if (isSubject(right) && !isSubject(left) && left.kind !== 'text')
    return { kind: 'comparison', left: right, operator: FLIPPED[condition.operator], right: left };
  return { ...condition, left, right };
}

/** `6 <= p` means `p >= 6`: what is measured stands on the left, so that a check tells its limit as one. */
const FLIPPED = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=', '!=': '!=' } as const;

const isSubject = (operand: Operand): operand is Extract<Operand, { kind: 'subject' | 'change' }> =>
  operand.kind === 'subject' || operand.kind === 'change';

/** Where the operand itself stands, as long as it was just read. */
const placeOf = (operand: Operand, pos: Pos): Pos => (isSubject(operand) ? (operand.pos ?? pos) : pos);

/**
 * `mode = 'real'`: a name on the right that nothing answers to is a text, when a variable stands on the left. Beside
 * a sensor it stays a name, so that a misspelt one is found.
 */
function textWhereMeant(condition: Extract<Condition, { kind: 'comparison' }>, scope: Scope): Operand {
  const { left, operator, right } = condition;
  if (right.kind !== 'subject' || (operator !== '=' && operator !== '!=')) return right;
  if (left.kind === 'subject' && scope.registry.sensor(left.subject.name)) return right;
  const { name } = right.subject;
  if (scope.registry.sensor(name) || scope.names.isDefined(name) || /^timer$/i.test(name)) return right;
  return { kind: 'text', text: name };
}

function resolveOperand(operand: Operand, pos: Pos, scope: Scope, site: Site): Operand {
  if (isSubject(operand))
    return {
      kind: operand.kind,
      subject: resolveSubject(operand.subject.name, operand.pos ?? pos, scope, site),
    };
  noteReferences(operand, pos, scope, site);
  return operand;
}

/** Remembers the variables a bound or value refers to. */
export function noteReferences(value: Value, pos: Pos, scope: Scope, site: Site): void {
  const missing = (name: string) =>
    site.report(
      'SCN228',
      `the variable ${name} is never set in this scenario; an actuator value or limit with it is an error when it runs`,
      pos,
    );
  if (value.kind === 'template') scope.names.reference(value.text, missing);
  else if (value.kind === 'variable' && !value.name.includes('$'))
    scope.names.reference(`\${${value.name}}`, missing);
}

/** SCN240 for units of different dimensions, SCN242 for a range that holds nothing. */
export function checkRange(low: Value, high: Value, closed: boolean, pos: Pos, site: Site): void {
  const lowUnit = unitOf(low);
  const highUnit = unitOf(high);
  if (lowUnit !== undefined && highUnit !== undefined && !comparable(lowUnit, highUnit)) {
    incompatible(lowUnit, highUnit, pos, site);
    return;
  }
  if (low.kind === 'infinity' && low.sign === 1) return emptyRange('∞', text(high), pos, site);
  if (high.kind === 'infinity' && high.sign === -1) return emptyRange(text(low), '-∞', pos, site);
  if (low.kind !== 'quantity' || high.kind !== 'quantity') return;
  const converted =
    lowUnit !== undefined && highUnit !== undefined ? convert(high.value, highUnit, lowUnit)! : high.value;
  if (low.value > converted || (low.value === converted && !closed))
    emptyRange(text(low), text(high), pos, site);
}

const text = (value: Value): string =>
  value.kind === 'quantity'
    ? `${formatNumber(value.value)}${value.unit ? ` ${value.unit}` : ''}`
    : value.kind;

const emptyRange = (low: string, high: string, pos: Pos, site: Site): void =>
  site.report('SCN242', `no value lies between ${low} and ${high}; swap or correct the bounds`, pos);

function incompatible(a: string, b: string, pos: Pos, site: Site): void {
  site.report(
    'SCN240',
    `${a} and ${b} measure different things (${dimensionOf(a)}, ${dimensionOf(b)}) and cannot be compared; use one kind of unit`,
    pos,
  );
}

const dimensionOf = (unit: string): string => findUnit(unit)?.dimension ?? 'unknown unit';

/** Whether a sensor, variable or the timer can be read in the unit that is asked for. */
export function checkAskedUnit(
  operand: Operand,
  asked: string | undefined,
  pos: Pos,
  scope: Scope,
  site: Site,
): void {
  if (asked === undefined || asked.includes('$') || !isSubject(operand)) return;
  checkSubjectUnit(operand.subject, asked, pos, scope, site);
}

export function checkSubjectUnit(subject: Subject, asked: string, pos: Pos, scope: Scope, site: Site): void {
  if (subject.kind === 'unknown' && /^timer$/i.test(subject.name)) {
    if (!comparable(asked, 'ms')) incompatible('ms', asked, pos, site);
    return;
  }
  if (subject.kind !== 'sensor') return;
  const sensor = scope.registry.sensor(subject.id)!;
  if (comparable(sensor.unit, asked)) return;
  const { calibration } = sensor;
  if (calibration && comparable(calibration.unit, asked)) {
    if (!site.definition) scope.names.useCalibration(sensor.id);
    return;
  }
  if (calibration)
    site.report(
      'SCN240',
      `${subject.name} (${sensor.id}) is calibrated to ${calibration.unit} by ${calibration.id}; ${asked} cannot be compared with that`,
      pos,
      { severity: 'R' },
    );
  else
    site.report(
      'SCN227',
      `${subject.name} (${sensor.id}) measures ${sensor.unit} and has no calibration to ${asked}; add one to svc.yaml under sensors.${sensor.id}.calibration, or ask in ${sensor.unit}`,
      pos,
    );
}
