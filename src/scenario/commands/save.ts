import { printName } from '../format/words.ts';
import { defineVariable } from '../program/compile/define-variable.ts';
import type { InstructionOf, Operation } from '../program/instruction.ts';
import type { Subject } from '../program/operand.ts';
import { renderSubject } from '../program/render-values.ts';
import { RunFault } from '../rig/fault.ts';
import type { Command } from '../run/command.ts';
import type { Measured } from '../run/measured.ts';
import { readAndJudge, variableOf } from '../run/read-and-judge.ts';
import { setVariable } from '../run/set-variable.ts';
import { namesOf, type Target, targetOf } from '../run/target.ts';
import { type Alternatives, joinAlternatives, MEASURED } from '../safety/abstract-value.ts';
import { assign } from '../safety/assign.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { readMs } from '../safety/costs.ts';
import type { Environment } from '../safety/environment.ts';
import { isCheckMark } from '../source/check-mark.ts';
import type { Token } from '../source/token.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    save: { readonly label: string; readonly name?: string; readonly token: Token };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** Section 6.2. `subject` when the label, or the first of two arguments, names a sensor or variable. */
    save: { readonly label: string; readonly subject?: Subject };
  }
}

export const save = defineCommand({
  words: {
    SAVE: {
      args: 'label:label name:label?',
      effect: 'variable',
      doc: 'Stores the last reading, or the named sensor or variable, under a label.',
      examples: ['GET AI01\nSAVE p0', "SAVE 'AI01' 'p1'"],
    },
  },
  form: 'save',
  defines({ defined, saved }, first, tokens) {
    const second = tokens[2];
    const label = second?.kind === 'bare' && second.text === '=' ? tokens[3] : second;
    for (const names of [defined, saved]) names.add(label?.text ?? first);
  },
  parse(args) {
    if (args.tokens[0]!.text.endsWith(':'))
      args.report('SCN301', 'SAVE: is version 1 syntax; write SAVE without the colon', args.tokens[0]!.pos);
    const tokens = args.rest().filter((token) => !isCheckMark(token.text));
    const [first, second] = tokens;
    if (!first) {
      args.missing('a label', 'SAVE p0');
      return undefined;
    }
    args.extra(tokens.slice(2));
    return second
      ? { form: 'save', name: first.text, label: second.text, token: first }
      : { form: 'save', label: first.text, token: first };
  },
  print: ({ name, label }) => `SAVE ${name === undefined ? '' : `${printName(name)} `}${printName(label)}`,
  compile({ label, name, token }, line) {
    const { scope, site, pos } = line;
    const known = scope.names.isReached(label) || label.includes('$');
    const of = name ?? (scope.registry.sensor(label) ? label : undefined);
    const saved = of === undefined ? {} : { subject: line.subject(of, token.pos) };
    defineVariable(label, pos, scope, site, { of: of ?? label });
    const operation: Operation = { op: 'save', label, ...saved };
    if (of === undefined && !known) scope.savesReading.add(operation);
    line.push(operation);
  },
  operations: {
    save: {
      plan: ({ label, subject }) => `save ${label}${subject ? ` of ${renderSubject(subject)}` : ''}`,
      cost: readMs,
      effect: (one, state, walk) =>
        moveNothing(one, state, walk, (variables) => assign(one.label, saved(one, variables), variables)),
      sets: ({ label }) => ({ name: label, isLiteral: false }),
      run: saveValue,
    },
  },
});

/** A variable is copied; anything else is a reading. */
function saved({ label, subject }: InstructionOf<'save'>, variables: Environment): Alternatives {
  if (subject?.kind === 'variable' && !subject.name.includes('$')) return variables.get(subject.name);
  return joinAlternatives([MEASURED], variables.get(label));
}

/** SAVE: never a placeholder. */
async function saveValue({ label, subject }: InstructionOf<'save'>, command: Command): Promise<void> {
  const { run, goal } = command;
  const name = label.includes('$') ? run.strictText(label) : label;
  command.about(name);
  const target = targetOf(subject ?? { kind: 'unknown', name }, run);
  const known = target.kind === 'variable' ? run.variables.get(target.name) : undefined;
  // A label that a reading was saved under is saved again, in a loop or a retry, for the reading that came meanwhile.
  const isRepeated = !subject && known?.isSavedReading === true && goal.lastReading !== undefined;
  if (target.kind === 'variable' && (subject || known) && !isRepeated) {
    const variable = known?.isSavedReading && subject ? { ...known, isSavedReading: false } : known;
    if (!variable) throw new RunFault('SCN411', `SAVE ${name}: ${run.variables.whyUnset(target.name)}`);
    setVariable(name, variable, command);
    return;
  }
  const measured = isRepeated ? goal.lastReading : await toSave(target, subject !== undefined, command);
  if (!measured)
    throw new RunFault(
      'SCN411',
      `SAVE ${name}: nothing has been read in this goal; add GET before it, or name a sensor`,
    );
  if (target.kind !== 'unknown' && !isRepeated) command.about(...namesOf(target));
  setVariable(name, { ...variableOf(measured, run), isSavedReading: true }, command);
  function toSave(one: Target, named: boolean, by: Command): Promise<Measured> | Measured | undefined {
    if (one.kind === 'unknown' && !named) return goal.lastReading;
    return goal.last(one.key) ?? readAndJudge(one, undefined, by);
  }
}
