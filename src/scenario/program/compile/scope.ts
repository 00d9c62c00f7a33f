import type { Registry } from '../../../rig/registry/registry.ts';
import type { Diagnostics } from '../../diagnostics/collector.ts';
import { suggest } from '../../diagnostics/suggest.ts';
import type { Report } from '../../forms/reporter.ts';
import { MAX_SOURCE_BYTES } from '../../source/decode.ts';
import type { Pos } from '../../source/position.ts';
import type { Token } from '../../source/token.ts';
import type { Block, BodyItem, Statement } from '../../syntax/node.ts';
import { referencedNames } from '../../values/interpolate.ts';
import type { Instruction, ParameterName } from '../instruction.ts';
import type { Subject, Value } from '../operand.ts';
import type { Program } from '../program.ts';
import { VariableValues } from './variable-values.ts';

export const PARAMETERS: ReadonlySet<string> = new Set<ParameterName>([
  'PUMP_FLOW_FULL_SCALE_LPM',
  'LUNG_STEPS',
  'LUNG_SPEED',
  'LUNG_CYCLES',
  'LUNG_PAUSE',
  'LUNG_STROKE_VOLUME',
]);

/** Statistics that SAMPLE leaves behind as `<sensor>.<name>`. */
export const STATISTICS = /\.(count|min|max|avg|last|stddev|first|delta)$/;

export interface Macro {
  readonly name: string;
  readonly block: Block;
  /** Highest `$n` of the body. */
  readonly arity: number;
  readonly imported: boolean;
}

/** Everything the compiler knows about the document while it goes through it. */
export interface Scope {
  readonly diagnostics: Diagnostics;
  readonly registry: Registry;
  readonly declaredVersion: number | undefined;
  readonly dialect: 'flat' | 'legacy';
  readonly macros: ReadonlyMap<string, Macro>;
  readonly names: Names;
  /** DEFAULT lines that stand where they may. */
  readonly defaults: ReadonlySet<Statement>;
  /** Names read anywhere in the document; gathered when first asked for. */
  readonly isReadSomewhere: (name: string) => boolean;
  /** Pump full scale, l/min, as set so far in document order. */
  fullScaleLpm: number;
  /** Commands made by expanding macros so far. */
  expanded: number;
  /** SAVE commands that store the last reading: their label names nothing that is known by then. */
  readonly savesReading: WeakSet<object>;
  /** Compiles the lines of a block, a branch or a macro body. */
  readonly compileBody: (items: readonly BodyItem[], site: Site) => Instruction[];
}

/** Where the instruction being compiled stands: inside which calls. */
export interface Site {
  /** Call sites, innermost first. */
  readonly stack: readonly Pos[];
  /** Macros being expanded, outermost first. */
  readonly chain: readonly string[];
  /** Arguments for `$1`..`$n`; undefined outside macros. */
  readonly args: readonly string[] | undefined;
  /** A macro body checked at its definition: nothing is executed, `$n` stay open. */
  readonly definition: boolean;
  readonly report: Report;
}

interface PendingSubject {
  readonly subject: { -readonly [K in keyof Subject]: Subject[K] };
  readonly report: () => void;
}

/** Variables the document defines, and what could not be decided before all of it was read. */
export class Names {
  readonly #given: ReadonlySet<string>;
  readonly #defined: Set<string>;
  /** By VAR: these win over actuator-like names. */
  readonly #declared = new Set<string>();
  readonly #used = {
    peripherals: new Set<string>(),
    sensors: new Set<string>(),
    calibrated: new Set<string>(),
    unmeasurable: new Set<string>(),
  };
  readonly #pending: PendingSubject[] = [];
  readonly #references: { name: string; report: () => void }[] = [];
  readonly #goals: { name: string; report: (goals: Iterable<string>) => void }[] = [];
  readonly #sampled = new Set<string>();
  /** Defined by the lines gone through so far. */
  readonly #reached: Set<string>;
  /** By SAVE: these hold measured values. */
  readonly #saved = new Set<string>();
  /** Places that read a variable which is set only further down. */
  readonly #early = new Set<string>();
  readonly #values = new VariableValues();
  readonly #atTheEnd: (() => void)[] = [];
  #settled = false;

  /** @param given names whose values come from outside and stay */
  constructor(given: Iterable<string>) {
    this.#given = new Set(given);
    this.#defined = new Set(this.#given);
    this.#reached = new Set(this.#given);
    for (const name of this.#given) this.#values.compute(name);
  }

  /** Its value was given for the run and stays. */
  isGiven(name: string): boolean {
    return this.#given.has(name);
  }

  /** A variable whose value comes up when the scenario runs. */
  define(name: string): void {
    this.#defined.add(name);
    this.#values.compute(name);
  }

  /** A variable that SET or VAR gives a value somewhere. */
  foresee(name: string): void {
    this.#defined.add(name);
  }

  /** SET or VAR. */
  assign(name: string, value: Value): void {
    this.#defined.add(name);
    this.#values.assign(name, value);
  }

  /** A value as far as it is known without running: the quantity in a variable, or at least its unit. */
  knownValue(value: Value): Value {
    return this.#values.known(value);
  }

  /** Does what needs the whole document to be known. */
  whenSettled(action: () => void): void {
    if (!this.#settled) this.#atTheEnd.push(action);
  }

  declare(name: string): void {
    this.#declared.add(name);
    this.#defined.add(name);
  }

  /** The line that defines a name was gone through. */
  reach(name: string): void {
    this.#reached.add(name);
  }

  isReached(name: string): boolean {
    return this.#reached.has(name) || PARAMETERS.has(name) || STATISTICS.test(name);
  }

  save(name: string): void {
    this.#saved.add(name);
  }

  /** True for what SAVE and SAMPLE leave behind; a count is exact. */
  isMeasured(name: string): boolean {
    if (STATISTICS.test(name)) return !name.endsWith('.count') && this.isDefined(name);
    return this.#saved.has(name);
  }

  /**
   * True when a command that reads at once names a variable that only a later line sets. Blocks are compiled again
   * when they run, all names known: what was found the first time counts.
   */
  isEarly(name: string, place: string): boolean {
    if (!this.#settled && this.#defined.has(name) && !this.isReached(name)) this.#early.add(place);
    return this.#early.has(place);
  }

  isDeclared(name: string): boolean {
    return this.#declared.has(name);
  }

  usePeripheral(id: string): void {
    this.#used.peripherals.add(id);
  }

  useSensor(id: string): void {
    this.#used.sensors.add(id);
  }

  /** The calibration of a sensor is needed. */
  useCalibration(id: string): void {
    this.#used.calibrated.add(id);
  }

  sample(name: string): void {
    this.#sampled.add(name);
  }

  /** A limit that no reading reaches. */
  useUnmeasurable(why: string): void {
    this.#used.unmeasurable.add(why);
  }

  get uses(): Program['uses'] {
    const { peripherals, sensors, calibrated, unmeasurable } = this.#used;
    return {
      peripherals: [...peripherals].sort(),
      sensors: [...sensors].sort(),
      calibrated: [...calibrated].sort(),
      unmeasurable: [...unmeasurable],
    };
  }

  /** A statistic that SAMPLE leaves behind in this document. */
  isStatistic(name: string): boolean {
    return STATISTICS.test(name) && this.#sampled.has(name.replace(STATISTICS, ''));
  }

  isDefined(name: string): boolean {
    if (this.#defined.has(name) || PARAMETERS.has(name)) return true;
    return this.isStatistic(name);
  }

  /** A subject that is not a sensor: it may become a variable further down. */
  later(subject: PendingSubject['subject'], report: () => void): void {
    if (this.#settled) this.#decide(subject);
    else this.#pending.push({ subject, report });
  }

  /** @returns false when nothing of that name exists */
  #decide(subject: PendingSubject['subject']): boolean {
    if (this.isDefined(subject.name)) subject.kind = 'variable';
    else if (/^timer$/i.test(subject.name)) subject.kind = 'timer';
    else return false;
    return true;
  }

  /** `$name` in a text. */
  reference(text: string, report: (name: string) => void): void {
    if (this.#settled) return;
    for (const name of referencedNames(text)) this.#references.push({ name, report: () => report(name) });
  }

  goal(name: string, report: (goals: Iterable<string>) => void): void {
    if (!this.#settled) this.#goals.push({ name, report });
  }

  /** Decides what was left open: unknown sensors, undefined variables, unknown goals. */
  settle(goalNames: ReadonlySet<string>): void {
    this.#settled = true;
    for (const { subject, report } of this.#pending.splice(0)) if (!this.#decide(subject)) report();
    for (const { name, report } of this.#references.splice(0))
      if (!this.isDefined(name) && !/^timer$/i.test(name)) report();
    for (const { name, report } of this.#goals.splice(0)) if (!goalNames.has(name)) report(goalNames);
    for (const action of this.#atTheEnd.splice(0)) action();
  }

  /** Variables known so far, for suggestions. */
  known(): string[] {
    return [...this.#defined];
  }
}

const placeKey = (name: string, pos: Pos, { stack }: Site): string =>
  [pos, ...stack].reduce((key, { file, line, col }) => `${key} ${file}:${line}:${col}`, name);

/**
 * A sensor of the registry, the timer, or a name that is decided when the whole document is known.
 * @param readsNow true where only a sensor or a variable that is set already can be meant
 */
export function resolveSubject(name: string, pos: Pos, scope: Scope, site: Site, readsNow = false): Subject {
  const sensor = scope.registry.sensor(name);
  if (sensor) {
    if (!site.definition) scope.names.useSensor(sensor.id);
    return { kind: 'sensor', name, id: sensor.id };
  }
  const subject: PendingSubject['subject'] = { kind: 'unknown', name };
  if (site.definition && name.includes('$')) return subject as Subject;
  if (readsNow && !site.definition && scope.names.isEarly(name, placeKey(name, pos, site))) {
    site.report(
      'SCN222',
      `"${name}" is neither a sensor of the rig nor a variable set before this line`,
      pos,
      {
        suggestion: suggest(name, [...scope.registry.sensorNames(), 'Timer']),
      },
    );
    return subject as Subject;
  }
  scope.names.later(subject, () =>
    site.report('SCN222', `"${name}" is neither a sensor of the rig nor a variable of this scenario`, pos, {
      suggestion: suggest(name, [...scope.registry.sensorNames(), ...scope.names.known(), 'Timer']),
    }),
  );
  return subject as Subject;
}

/** Fills `$1`..`$n` in a token; `$$` stays for the time when the text is interpolated. */
export function fillToken(token: Token, args: readonly string[]): Token {
  if (!token.text.includes('$')) return token;
  let length = token.text.length;
  const text = token.text.replace(/\$\$|\$(\d+)/g, (whole, digits?: string) => {
    const arg = digits === undefined ? undefined : args[Number(digits) - 1];
    length += arg?.length ?? 0;
    // A long argument in many places would need more memory than there is: the rest stays as it is written.
    return arg === undefined || length > MAX_SOURCE_BYTES ? whole : arg;
  });
  return token.withText(text);
}

/** A statement's tokens as text, quotes and brackets put back. */
export function textOf(tokens: readonly Token[]): string {
  let text = '';
  for (const token of tokens) {
    if (text !== '') text += ' ';
    if (token.kind === 'bare') text += token.text;
    else if (token.kind === 'single') text += `'${token.text}'`;
    else if (token.kind === 'double') text += `"${token.text}"`;
    else text += `[${token.text}]`;
  }
  return text;
}
