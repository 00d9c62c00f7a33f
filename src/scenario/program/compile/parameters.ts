import { messageOf } from '../../../lib/errors/coded-error.ts';
import { operationOf } from '../../commands/table.ts';
import { suggest } from '../../diagnostics/suggest.ts';
import { numberOf } from '../../run/limit.ts';
import { parameterValue } from '../../run/parameters.ts';
import { type GivenVariable, givenVariable, type StoredVariable } from '../../run/variables.ts';
import type { Pos } from '../../source/position.ts';
import { formatNumber } from '../../values/number.ts';
import type { Instruction, ParameterName } from '../instruction.ts';
import { walk } from '../walk.ts';

import { checkConstantLimits, holdsLimits } from './constant-limits.ts';
import type { Default } from './defaults.ts';
import { reservedAs } from './define-variable.ts';
import { PARAMETERS, type Scope, type Site } from './scope.ts';
import { usedNames } from './used-names.ts';

/**
 * The values that were given for a run and those of DEFAULT: who uses them, who tries to set them, and whether they can
 * be what they are used as. Nothing that was given may be without effect (LANG-074).
 */
export class Parameters {
  readonly #given: ReadonlyMap<string, StoredVariable>;
  readonly #defaults: ReadonlyMap<string, Default>;
  readonly #scope: Scope;
  readonly #site: Site;
  readonly #used = new Set<string>();
  readonly #assigned = new Set<string>();
  readonly #limits: Instruction[] = [];

  constructor(
    given: Readonly<Record<string, GivenVariable>>,
    defaults: ReadonlyMap<string, Default>,
    scope: Scope,
    site: Site,
  ) {
    this.#given = new Map(Object.entries(given).map(([name, value]) => [name, givenVariable(value)]));
    this.#defaults = defaults;
    this.#scope = scope;
    this.#site = site;
    const scale = this.#given.get('PUMP_FLOW_FULL_SCALE_LPM');
    const lpm = scale && numberOf(scale)?.value;
    if (lpm !== undefined && lpm > 0) scope.fullScaleLpm = lpm;
  }

  get #isEmpty(): boolean {
    return this.#given.size === 0 && this.#defaults.size === 0;
  }

  /** Takes over what the commands of a block do with variables. */
  note(instructions: readonly Instruction[]): void {
    if (this.#isEmpty) return;
    for (const instruction of walk(instructions)) {
      usedNames(instruction, this.#used);
      // The others are let go: a long text needs no more memory than its tree.
      if (holdsLimits(instruction)) this.#limits.push(instruction);
      const assignment = operationOf(instruction).sets?.(instruction);
      if (!assignment) continue;
      this.#assigned.add(assignment.name);
      const given = this.#given.get(assignment.name);
      if (!given) continue;
      const is = `${assignment.name} is given for this run as ${shown(given)}`;
      const { pos, stack, command } = instruction;
      const { diagnostics } = this.#scope;
      if (assignment.isLiteral)
        diagnostics.add('SCN150', `${is}; this ${command} is skipped`, pos, { stack });
      else
        diagnostics.add(
          'SCN151',
          `${is}, so ${command} cannot set it; leave the value out, or use another name in ${command}`,
          pos,
          { stack },
        );
    }
  }

  /** @param top where findings stand that belong to no line */
  check(top: Pos): void {
    if (this.#isEmpty) return;
    const at = { ...top, endLine: top.line, endCol: top.col };
    for (const [name, value] of this.#given) this.#checkGiven(name, value, at);
    for (const [name, { pos }] of this.#defaults)
      if (!this.#isUsed(name))
        this.#site.report('SCN156', `the parameter ${name} is not used; remove its DEFAULT`, pos, {
          severity: 'W',
        });
    const constants = this.#constants();
    for (const instruction of this.#limits)
      checkConstantLimits(instruction, constants, this.#scope, this.#site);
  }

  #checkGiven(name: string, value: StoredVariable, at: Pos): void {
    const taken = reservedAs(name, this.#scope);
    const fault = taken ? undefined : faultOf(name, value);
    if (taken)
      this.#site.report('SCN153', `"${name}" is ${taken} and cannot be given a value for a run; omit it`, at);
    else if (fault) this.#site.report('SCN154', fault, at);
    else if (!this.#isUsed(name))
      this.#site.report(
        'SCN152',
        `${name} was given (${shown(value)}), but ${this.#assigned.has(name) ? 'nothing in the scenario reads it' : 'the scenario never uses it'}; correct the name or leave it out`,
        at,
        {
          suggestion: suggest(
            name,
            [...this.#used, ...this.#defaults.keys()].filter((one) => one !== name),
          ),
        },
      );
  }

  #isUsed(name: string): boolean {
    if (this.#used.has(name)) return true;
    if (!PARAMETERS.has(name)) return false;
    const kind = name.startsWith('PUMP_') ? 'pump' : 'lung';
    const { names, registry } = this.#scope;
    return names.uses.peripherals.some((id) => registry.peripheral(id)?.kind === kind);
  }

  /** What has the same value throughout the run. */
  #constants(): ReadonlyMap<string, StoredVariable> {
    // One that cannot be a value was reported, and cannot be a limit either.
    const constants = new Map([...this.#given].filter(([name, value]) => !faultOf(name, value)));
    for (const [name, { value }] of this.#defaults)
      if (!constants.has(name) && !this.#assigned.has(name)) constants.set(name, givenVariable(value));
    return constants;
  }
}

/** Why a value cannot be a variable, or not that parameter; undefined for a good one. */
function faultOf(name: string, variable: StoredVariable): string | undefined {
  const { value, unit } = variable;
  const number = numberOf(variable);
  const write = `write for example ${name}=15 or "${name}=15 mbar"`;
  if (typeof value === 'number' && !Number.isFinite(value))
    return `${name} was given as ${value}, which is not a finite number; ${write}`;
  if (typeof value === 'string' && value.trim() === '') return `${name} was given no value; ${write}`;
  if (unit !== undefined && typeof value !== 'number')
    return `${name} was given as "${String(value)}" with the unit ${unit}, but it is not a number; ${write}`;
  if (!PARAMETERS.has(name)) return undefined;
  if (!number) return `${name} takes a number, but was given as "${String(value)}"`;
  try {
    parameterValue(name as ParameterName, number);
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

const shown = ({ value, unit }: StoredVariable): string =>
  `${typeof value === 'number' ? formatNumber(value) : `"${String(value)}"`}${unit === undefined ? '' : ` ${unit}`}`;
