import { printName, printValue } from '../../format/words.ts';
import type { Args } from '../../forms/args.ts';
import type { Form } from '../../forms/form.ts';
import { isLiteral } from '../../program/compile/assignments.ts';
import type { InstructionOf } from '../../program/instruction.ts';
import type { Value } from '../../program/operand.ts';
import { renderValue } from '../../program/render-values.ts';
import { applyEffects, contextOf, reportProblems } from '../../safety/actuator-effects.ts';
import { assign } from '../../safety/assign.ts';
import type { BlockWalk } from '../../safety/block-walk.ts';
import { moveNothing, unchanged } from '../../safety/common-effects.ts';
import { CALL_MS, capped, LUNG_CALL_MS, noTime } from '../../safety/costs.ts';
import { checkInterlocks } from '../../safety/interlock-check.ts';
import { resolveValue } from '../../safety/resolve-value.ts';
import { takingTurn } from '../../safety/rig-states.ts';
import { setpointOf } from '../../safety/setpoint.ts';
import { join, mapRigStates, type Reached, type State } from '../../safety/state.ts';
import type { Pos } from '../../source/position.ts';
import type { Token } from '../../source/token.ts';
import { parseNumber } from '../../values/number.ts';
import { parseBound } from '../bounds.ts';
import { defineCommand } from '../define-command.ts';
import { parseGet } from '../get.ts';
import { parseTimerReset } from '../reset-timer.ts';
import { actuate, unknownTarget } from './actuate.ts';
import { compileSet } from './compile-set.ts';
import { setParameter, setPlainVariable } from './set-names.ts';

declare module '../../forms/form.ts' {
  interface Forms {
    set: {
      readonly target: string;
      readonly targetToken: Token;
      readonly value: Value;
      /** The value with its unit. */
      readonly valuePos: Pos;
    };
  }
}

declare module '../../program/instruction.ts' {
  interface Operations {
    /** SET of an actuator. `target` as written, `id` from the registry. */
    actuate: {
      readonly peripheral: 'pump' | 'valve' | 'lung' | 'other';
      readonly target: string;
      readonly id: string;
      readonly value: Value;
    };
    /** SET of an unknown name: SCN220 or SCN221. Nothing is sent; `error` in execute. */
    'unknown-target': { readonly target: string; readonly code: 'SCN220' | 'SCN221' };
    'set-parameter': { readonly name: ParameterName; readonly value: Value };
    'set-variable': { readonly name: string; readonly value: Value };
  }
}

const PAUSE_WORDS = /^(wait|delay|pause)$/i;

/** Pause words, `SET MIN 'p' 'q'`, and targets. */
function parseSet(args: Args): Form | undefined {
  const target = args.need('a target and a value', 'SET pump 5 l/min');
  if (!target) return undefined;
  if (PAUSE_WORDS.test(target.text)) {
    args.skipEquals();
    const duration = args.duration('a duration', "SET WAIT '2 s'");
    args.end();
    return duration === undefined ? undefined : { form: 'wait', duration, bySet: true };
  }
  if (/^timer$/i.test(target.text)) return parseTimerReset(args);
  const word = target.kind === 'bare' ? target.text.toUpperCase() : '';
  if ((word === 'MIN' || word === 'MAX') && args.left > 1 && parseNumber(args.peek()!.text) === undefined)
    return parseBound(args, word);
  if (word === 'VAL' && args.left > 1 && parseNumber(args.peek()!.text) === undefined) return parseGet(args);
  args.skipEquals();
  return parseValue(args, target.text, target);
}

function parseValue(args: Args, target: string, targetToken: Token): Form | undefined {
  const found = args.value('a value', `SET ${/^[\w.-]+$/.test(target) ? target : `[${target}]`} 5`);
  if (!found) return undefined;
  args.end();
  return { form: 'set', target, targetToken, value: found.value, valuePos: found.pos };
}

export const set = defineCommand({
  words: {
    SET: {
      args: 'target:target value:value unit:unit?',
      effect: 'actuate',
      doc: 'Sets an actuator, a parameter or a variable. Sent once, confirmed by the rig. SET timer resets the goal timer to 0.',
      examples: [
        'SET pump 5 l/min',
        'SET valve-1 on',
        "SET [bottle valve] 'off'",
        'SET LIMIT 8 bar',
        'SET timer 0',
      ],
    },
    PUMP: {
      since: 2,
      args: 'value:value unit:unit?',
      effect: 'actuate',
      doc: 'Sets the main pump: flow, percent, on or off.',
      examples: ["PUMP '5 l/min'"],
    },
  },
  form: 'set',
  // SET timer resets the goal timer.
  defines({ targets }, first, _tokens, command) {
    if (command === 'SET' && !/^timer$/i.test(first)) targets.add(first);
  },
  parse: (args) => (args.command === 'PUMP' ? parseValue(args, 'pump', args.tokens[0]!) : parseSet(args)),
  print: ({ target, value }, command) =>
    command === 'PUMP' ? `PUMP ${printValue(value)}` : `SET ${printName(target)} ${printValue(value)}`,
  compile({ target, targetToken, value, valuePos }, line) {
    line.push(compileSet({ target, targetPos: targetToken.pos, value, valuePos }, line.scope, line.site));
  },
  operations: {
    actuate: {
      plan: ({ id, value }) => `actuate ${id} ${renderValue(value)}`,
      // Twice: a mirrored state, or a lung called through its own service.
      cost: ({ peripheral }, timeouts) =>
        capped(2 * (peripheral === 'lung' ? LUNG_CALL_MS : CALL_MS), timeouts),
      effect: effectOfSetting,
      run: actuate,
      endsRun: true,
    },
    'unknown-target': {
      plan: ({ target, code }) => `unknown-target ${target} ${code}`,
      cost: noTime,
      effect: unchanged,
      run: unknownTarget,
      endsRun: true,
    },
    'set-parameter': {
      plan: ({ name, value }) => `parameter ${name} ${renderValue(value)}`,
      cost: noTime,
      /** An invalid parameter ends the run. */
      effect(one, state, walk) {
        const after = { ...state, variables: assigned(one, state) };
        const why = `${walk.placeOf(one)} ends in an error`;
        walk.failRun(state, why);
        walk.failRun(after, why);
        return after;
      },
      sets: ({ name, value }) => ({ name, isLiteral: isLiteral(value) }),
      run: setParameter,
      endsRun: true,
    },
    'set-variable': {
      plan: ({ name, value }) => `variable ${name} ${renderValue(value)}`,
      cost: noTime,
      effect: (one, state, walk) =>
        moveNothing(one, state, walk, (variables) => assigned(one, { variables })),
      sets: ({ name, value }) => ({ name, isLiteral: isLiteral(value) }),
      run: setPlainVariable,
    },
  },
});

const assigned = (
  { name, value }: InstructionOf<'set-parameter' | 'set-variable'>,
  { variables }: Pick<State, 'variables'>,
) => assign(name, resolveValue(value, variables), variables);

/** It takes effect or the run ends; a failed command may have taken effect. */
function effectOfSetting(one: InstructionOf<'actuate'>, state: State, walk: BlockWalk): Reached {
  const { analysis, block } = walk;
  const peripheral = analysis.options.registry.peripheral(one.id);
  if (!peripheral) return state;
  const values = resolveValue(one.value, state.variables);
  const { effects, problems } = setpointOf(peripheral, one.target, values, contextOf(state, walk));
  reportProblems(problems, one, walk);
  const at = walk.placeOf(one);
  const spent = walk.spend(state, walk.ownMs(one), one);
  const why = `${at} fails`;
  if (effects.length === 0) {
    walk.failRun(spent, why);
    return undefined;
  }
  const acted = applyEffects(spent, peripheral.id, effects, one, walk);
  checkInterlocks(one, peripheral.id, acted, analysis);
  // A teardown cannot reset a peripheral whose own command fails.
  const setsBack =
    block.teardown && peripheral.kind === 'other' && effects.every(({ state: to }) => to === 'off');
  if (!block.teardown) analysis.cut(mapRigStates(acted, takingTurn(`the run is aborted after ${at}`)));
  walk.failRun(setsBack ? acted : (join(spent, acted) ?? acted), why);
  return acted;
}
