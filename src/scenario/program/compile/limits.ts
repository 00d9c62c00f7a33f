import type { Sensor } from '../../../rig/registry/registry.ts';
import { comparable, convert, differenceOf, findUnit } from '../../../rig/units/units.ts';
import { beyondMeasurable, type LimitedQuantity } from '../../rig/measurable.ts';
import type { Pos } from '../../source/position.ts';
import { formatNumber } from '../../values/number.ts';
import type { Condition, Operand, Subject, Value } from '../operand.ts';
import { type Scope, type Site, STATISTICS } from './scope.ts';
import { isSubject, keyOf, type Leaf, leavesOf, type SubjectOperand } from './subject-key.ts';

interface LimitPlace {
  readonly pos: Pos;
  /** Where the subject itself stands. */
  readonly subjectPos: Pos;
  /** Both bounds are inclusive; default true. */
  readonly closed?: boolean;
}

/**
 * What a subject is compared with by one statement: one value, or the low and the high one. Reports units that cannot
 * be compared with each other or with the subject, a range that holds nothing, a limit that no reading ever reaches.
 */
export function checkLimits(
  operand: Operand,
  limits: readonly Value[],
  place: LimitPlace,
  scope: Scope,
  site: Site,
): void {
  const judge = () =>
    judgeLimits(
      operand,
      limits.map((limit) => scope.names.knownValue(limit)),
      place,
      scope,
      site,
    );
  // What a variable holds is known when all of the document is read.
  if (isNamed(operand) || limits.some(isNamed)) scope.names.whenSettled(judge);
  else judge();
}

const isNamed = (one: Operand): boolean =>
  one.kind === 'variable' || (isSubject(one) && one.subject.kind !== 'sensor');

function judgeLimits(
  operand: Operand,
  limits: readonly Value[],
  { pos, subjectPos, closed = true }: LimitPlace,
  scope: Scope,
  site: Site,
): void {
  const [low, high] = limits;
  if (low && high && !isRange(low, high, closed, pos, site)) return;
  if (!isSubject(operand)) return;
  const unit = limits.flatMap((limit) => unitOf(limit) ?? [])[0];
  if (unit?.includes('$')) return;
  if (unit !== undefined && operand.kind === 'subject') {
    const own = unitOf(scope.names.knownValue(asValue(operand)));
    if (own !== undefined && !comparable(own, unit)) return incompatible(own, unit, pos, site);
  }
  if (unit !== undefined) checkSubjectUnit(operand.subject, unit, subjectPos, scope, site);
  checkMeasurable(operand, limits, unit, pos, scope, site);
}

/** A bare name may be a variable that holds a quantity. */
const asValue = ({ subject }: SubjectOperand): Value => ({ kind: 'variable', name: subject.name });

/** What a subject is compared with, unless that is measured too. */
export function valuesOf(right: Operand): Value[] {
  if (!isSubject(right)) return [right];
  return right.kind === 'change' || right.subject.kind === 'sensor' ? [] : [asValue(right)];
}

const unitOf = (value: Operand): string | undefined => ('unit' in value ? value.unit : undefined);

/** SCN250 */
function checkMeasurable(
  { kind, subject }: SubjectOperand,
  limits: readonly Value[],
  unit: string | undefined,
  pos: Pos,
  scope: Scope,
  site: Site,
): void {
  const sensor = sensorOf(subject, scope);
  // The unit of a statistic is that of its samples, which is not known here.
  if (!sensor || (subject.kind !== 'sensor' && unit === undefined)) return;
  for (const limit of limits) {
    if (limit.kind !== 'quantity') continue;
    const quantity = kind === 'change' ? 'change' : quantityOf(subject);
    const why = beyondMeasurable(subject.name, sensor, { ...limit, unit: limit.unit ?? unit }, quantity);
    if (why === undefined) continue;
    site.report('SCN250', why, pos);
    if (!site.definition) scope.names.useUnmeasurable(why);
  }
}

function quantityOf({ kind, name }: Subject): LimitedQuantity {
  const statistic = kind === 'sensor' ? undefined : STATISTICS.exec(name)?.[1];
  return statistic === 'delta' ? 'change' : statistic === 'stddev' ? 'deviation' : 'value';
}

/** The sensor itself, or that of a statistic of its samples. */
function sensorOf({ kind, name }: Subject, { registry, names }: Scope): Sensor | undefined {
  if (kind === 'sensor') return registry.sensor(name);
  if (!STATISTICS.test(name) || name.endsWith('.count') || !names.isDefined(name)) return undefined;
  return registry.sensor(name.replace(STATISTICS, ''));
}

/** SCN240 for bounds of different dimensions, SCN242 for a range that holds nothing. @returns false when it reported */
export function isRange(low: Value, high: Value, closed: boolean, pos: Pos, site: Site): boolean {
  const lowUnit = unitOf(low);
  const highUnit = unitOf(high);
  if (lowUnit !== undefined && highUnit !== undefined && !comparable(lowUnit, highUnit)) {
    incompatible(lowUnit, highUnit, pos, site);
    return false;
  }
  if (low.kind === 'infinity' && low.sign === 1) return emptyRange('∞', text(high), pos, site);
  if (high.kind === 'infinity' && high.sign === -1) return emptyRange(text(low), '-∞', pos, site);
  if (low.kind !== 'quantity' || high.kind !== 'quantity') return true;
  const converted =
    lowUnit !== undefined && highUnit !== undefined ? convert(high.value, highUnit, lowUnit)! : high.value;
  const isEmpty = low.value > converted || (low.value === converted && !closed);
  return isEmpty ? emptyRange(text(low), text(high), pos, site) : true;
}

/** SCN240 for two values that nothing measures. */
export function checkComparable(left: Operand, right: Operand, pos: Pos, scope: Scope, site: Site): void {
  if (isSubject(left) || isSubject(right)) return;
  const judge = () => {
    const a = unitOf(scope.names.knownValue(left));
    const b = unitOf(scope.names.knownValue(right));
    if (a !== undefined && b !== undefined && !comparable(a, b)) incompatible(a, b, pos, site);
  };
  if (isNamed(left) || isNamed(right)) scope.names.whenSettled(judge);
  else judge();
}

/** SCN240 for parts of one condition that ask one subject in two dimensions: `p >= 6 bar AND p <= 8 V`. */
export function checkOneDimension(condition: Condition, pos: Pos, scope: Scope, site: Site): void {
  if (condition.kind !== 'all' && condition.kind !== 'any') return;
  scope.names.whenSettled(() => {
    const asked = new Map<string, string>();
    for (const [subject, limit] of [...leavesOf(condition)].flatMap(limitsOf)) {
      const unit = unitOf(scope.names.knownValue(limit));
      if (unit === undefined || unit.includes('$')) continue;
      const before = asked.get(subject);
      if (before !== undefined && !comparable(before, unit)) return incompatible(before, unit, pos, site);
      asked.set(subject, unit);
    }
  });
}

/** What the subject of a comparison or range is compared with. */
function limitsOf(leaf: Leaf): [subject: string, limit: Value][] {
  const [operand, ...limits] =
    leaf.kind === 'range' ? [leaf.subject, leaf.low, leaf.high] : [leaf.left, leaf.right];
  if (!operand || !isSubject(operand)) return [];
  return limits.flatMap(valuesOf).map((limit) => [keyOf(operand.subject), limit]);
}

const text = (value: Value): string =>
  value.kind === 'quantity'
    ? `${formatNumber(value.value)}${value.unit ? ` ${value.unit}` : ''}`
    : value.kind;

function emptyRange(low: string, high: string, pos: Pos, site: Site): false {
  site.report('SCN242', `no value lies between ${low} and ${high}; swap or correct the bounds`, pos);
  return false;
}

function incompatible(a: string, b: string, pos: Pos, site: Site): void {
  site.report(
    'SCN240',
    `${a} and ${b} have different dimensions (${dimensionOf(a)}, ${dimensionOf(b)})${differenceOf(a, b)}; use units of one dimension`,
    pos,
  );
}

const dimensionOf = (unit: string): string => findUnit(unit)?.dimension ?? 'unknown unit';

const placeOf = (name: string, { id }: Sensor): string => (name === id ? name : `${name} (${id})`);

/** Whether a sensor, a statistic of its samples or the timer can be read in the unit that is asked for. */
export function checkSubjectUnit(subject: Subject, asked: string, pos: Pos, scope: Scope, site: Site): void {
  if (subject.kind === 'unknown' && /^timer$/i.test(subject.name)) {
    if (!comparable(asked, 'ms')) incompatible('ms', asked, pos, site);
    return;
  }
  const sensor = sensorOf(subject, scope);
  if (!sensor) return;
  if (comparable(sensor.unit, asked)) return;
  const { calibration } = sensor;
  if (calibration && comparable(calibration.unit, asked)) {
    if (!site.definition) scope.names.useCalibration(sensor.id);
    return;
  }
  if (calibration)
    site.report(
      'SCN240',
      `${placeOf(subject.name, sensor)} is calibrated to ${calibration.unit} by ${calibration.id}; ${asked} cannot be compared with it`,
      pos,
      { severity: 'R' },
    );
  else {
    // Only a voltage input takes a calibration.
    const calibrate =
      sensor.plugin === undefined ? `add one to svc.yaml under sensors.${sensor.id}.calibration, or ` : '';
    site.report(
      'SCN227',
      `${placeOf(subject.name, sensor)} measures ${sensor.unit} and has no calibration to ${asked}${differenceOf(sensor.unit, asked)}; ${calibrate}ask in ${sensor.unit}`,
      pos,
    );
  }
}
