import { parseValveWord } from '../../rig/actuators/valve-word.ts';
import type { Registry } from '../../rig/registry/registry.ts';
import { Args, isOpen } from '../forms/args.ts';
import type { FormOf } from '../forms/form.ts';
import { defineVariable } from '../program/compile/define-variable.ts';
import type { LineContext } from '../program/compile/line-context.ts';
import type { Operation } from '../program/instruction.ts';
import type { Value } from '../program/operand.ts';
import { isCheckMark, withoutCheckMarks } from '../source/check-mark.ts';
import type { Token } from '../source/token.ts';
import { parseQuantity } from '../values/quantity.ts';
import { defineCommand } from './define-command.ts';
import { CLAUSE_IN_CAPITALS, type PromptParts, readClauses, readText } from './prompt/clauses.ts';
import { compilePrompt } from './prompt/compile-prompt.ts';
import { compileSet } from './set/compile-set.ts';
import { wait } from './wait.ts';

declare module '../forms/form.ts' {
  interface Forms {
    arrow: {
      readonly action: 'set' | 'read' | 'save' | 'confirm' | 'wait' | 'other';
      readonly object: string;
      readonly token: Token;
      readonly value?: Value;
      readonly text: string;
      /** Of `Operator.confirm`; the name takes the answer. */
      readonly timeout?: DurationForm;
      readonly nameToken?: Token;
    };
  }
}

const ARROW_ACTIONS: Readonly<Record<string, 'set' | 'read' | 'save' | 'confirm' | 'wait' | 'on' | 'off'>> = {
  set: 'set',
  on: 'on',
  open: 'on',
  start: 'on',
  enable: 'on',
  off: 'off',
  close: 'off',
  stop: 'off',
  disable: 'off',
  read: 'read',
  get: 'read',
  measure: 'read',
  save: 'save',
  confirm: 'confirm',
  wait: 'wait',
};

/** Accepts words of other languages; digits are names, for example in `Valve.1`. */
function actionOf(method: string): (typeof ARROW_ACTIONS)[string] | undefined {
  if (Object.hasOwn(ARROW_ACTIONS, method)) return ARROW_ACTIONS[method];
  const isOn = /^\p{L}+$/u.test(method) ? parseValveWord(method) : undefined;
  return isOn === undefined ? undefined : isOn ? 'on' : 'off';
}

const switched = (object: string, state: 'on' | 'off', token: Token): FormOf<'arrow'> => ({
  form: 'arrow',
  action: 'set',
  object,
  token,
  value: { kind: 'text', text: state },
  text: state,
});

/** The state behind a name, `=` and all else read too. */
function stateOf(args: Args): 'on' | 'off' | undefined {
  const ahead = args.peek()?.text === '=' ? 1 : 0;
  const isOn = parseValveWord(args.peek(ahead)?.text ?? '');
  if (isOn === undefined) return undefined;
  args.skipEquals();
  args.take();
  args.end();
  return isOn ? 'on' : 'off';
}

/** `→ Pump.set 3 l/min`, `→ Valve.open NC`, `→ BO05.on`, `→ Sensor.read AI01`, `→ Operator.confirm 't'` */
export const arrow = defineCommand({
  words: {
    '→': {
      aliases: ['->'],
      legacy: true,
      args: 'action:rest',
      effect: 'actuate',
      doc: 'Arrow form: Pump.set, Valve.open, Valve.close, X.on, X.off, Sensor.read, Operator.confirm.',
      examples: ['→ Pump.set 3 l/min', '→ Valve.open NC', '→ Sensor.read AI01'],
    },
  },
  form: 'arrow',
  parse(args) {
    const arrow = args.tokens[0]!;
    args.report('SCN301', 'arrows are version 1 syntax; write SET and GET', arrow.pos);
    const joined = arrow.text.replace(/^(→|->)/, '');
    const token = joined === '' ? args.need('an action', '→ Pump.set 3 l/min') : arrow;
    if (!token) return undefined;
    const path = token === arrow ? joined : token.text;
    const dot = path.lastIndexOf('.');
    const object = dot < 0 ? path : path.slice(0, dot);
    const method = dot < 0 ? '' : path.slice(dot + 1).toLowerCase();
    const action = actionOf(method);
    if (action === 'confirm') {
      const asked = parseConfirm(args);
      return asked && { form: 'arrow', action, object, token, ...asked };
    }
    if (/^timer$/i.test(object) && /^(?:start|restart|reset)$/.test(method) && args.left === 0)
      return { form: 'reset-timer' };
    if (action === 'set') {
      const found = args.value('a value', '→ Pump.set 3 l/min');
      args.end();
      return found && { form: 'arrow', action, object, token, value: found.value, text: found.token.text };
    }
    if (action === 'wait') {
      const text = args
        .rest()
        .map((one) => one.text)
        .join(' ');
      return { form: 'arrow', action, object, token, text };
    }
    const next = args.peek();
    if (next && (method === 'start' || !action) && (parseQuantity(next.text) || isOpen(next.text))) {
      const found = args.value('a value', '→ Lung.start 3 cycles');
      args.end();
      const target = action ? object : path;
      return (
        found && {
          form: 'arrow',
          action: 'set',
          object: target,
          token,
          value: found.value,
          text: found.token.text,
        }
      );
    }
    if (action === 'on' || action === 'off') {
      const which = args.take();
      args.end();
      return switched(which ? `${object}.${which.text}` : object, action, token);
    }
    // `→ Valve.NC on`, `→ Valve.BO06 = off`
    const state = args.left > 0 && !action ? stateOf(args) : undefined;
    if (state !== undefined) return switched(path, state, token);
    if (action === 'read' || action === 'save') {
      const which = args.take();
      args.end();
      return {
        form: 'arrow',
        action,
        object: which?.text ?? object.replace(/^sensors?\./i, ''),
        token: which ?? token,
        text: '',
      };
    }
    const text = args
      .rest()
      .map((one) => one.text)
      .join(' ');
    return { form: 'arrow', action: 'other', object: path, token, text };
  },
  print: (_form, _command, source) => source,
  compile: compileArrow,
  operations: {},
});

/**
 * `✓SAVE name` behind a question of the arrow form: where it stands, or -1. Within a text without quotes the word needs
 * its mark, because such a text may speak of saving.
 */
function saveClause(tokens: readonly Token[], textAt: number): number {
  let isText = tokens[textAt]?.kind === 'bare';
  return tokens.findIndex((token, i) => {
    if (i <= textAt || token.kind !== 'bare') return false;
    if (CLAUSE_IN_CAPITALS.test(token.text)) isText = false;
    const word = withoutCheckMarks(token.text);
    const isMarked = word !== token.text || isMark(tokens[i - 1]);
    return /^save:?$/i.test(word) && (isMarked || !isText);
  });
}

const isMark = (token: Token | undefined): boolean => token?.kind === 'bare' && isCheckMark(token.text);

/** `Operator.confirm 'text' [TIMEOUT d] [✓SAVE name]` of the arrow form. */
function parseConfirm(
  args: Args,
): (Omit<PromptParts, 'choices' | 'orElse'> & { readonly nameToken?: Token }) | undefined {
  const skip = args.tokens.length - args.left;
  const at = saveClause(args.tokens, skip);
  const tokens = args.tokens
    .map((token, i) => (i === at ? asClause(token) : token))
    .filter((token, i) => i < skip || !isMark(token));
  const own = new Args(args.command, tokens, args.pos, args.report, skip);
  const text = readText(own);
  const clauses =
    text === undefined ? undefined : readClauses(own, at < 0 ? ['TIMEOUT'] : ['AS', 'TIMEOUT'], 'SAVE');
  args.rest();
  if (text === undefined || !clauses) return undefined;
  const { nameToken, parts } = clauses;
  return {
    text,
    ...(nameToken ? { nameToken } : {}),
    ...(parts.timeout === undefined ? {} : { timeout: parts.timeout }),
  };
}

const asClause = (token: Token): Token => token.withText('AS');

const VALVE_WORD = /^(?:valve|zawór|zawor)$/i;

/**
 * The actuator that `Valve.NC` means: the first name that the rig knows of `Valve-NC`, for a valve in any language
 * `valve-NC`, and `NC` alone. Without one the path itself, so that it is reported as it was written.
 */
export function targetOfPath(path: string, registry: Registry): string {
  const dot = path.indexOf('.');
  if (dot < 0) return path;
  const [kind, which] = [path.slice(0, dot), path.slice(dot + 1)];
  const names = [`${kind}-${which}`, ...(VALVE_WORD.test(kind) ? [`valve-${which}`] : []), which];
  return names.find((name) => registry.peripheral(name)) ?? names[0]!;
}

function compileArrow(form: FormOf<'arrow'>, line: LineContext): void {
  const { body, scope, site, pos } = line;
  const push = (operation: Operation) => body.push(operation, '→', line.text, pos);
  const { action, object, token } = form;
  if (action === 'set' && form.value) {
    const request = {
      target: targetOfPath(object, scope.registry),
      targetPos: token.pos,
      value: form.value,
      valuePos: token.pos,
      actuatorOnly: true,
    };
    return push(compileSet(request, scope, site));
  }
  if (action === 'read') return push({ op: 'read', subject: line.subjectNow(object, token.pos) });
  if (action === 'save') {
    const known = scope.names.isReached(object);
    defineVariable(object, token.pos, scope, site, { of: object });
    const operation: Operation = { op: 'save', label: object };
    if (!known && !scope.registry.sensor(object)) scope.savesReading.add(operation);
    return push(operation);
  }
  if (action === 'confirm') {
    const { text: question, timeout, nameToken } = form;
    const request = {
      text: question,
      choices: [],
      confirms: true,
      task: false,
      ...(timeout === undefined ? {} : { timeout }),
      ...(nameToken ? { name: nameToken.text, nameToken } : {}),
    };
    return compilePrompt(request, line);
  }
  if (action === 'wait') {
    const pause = wait.parse(new Args('WAIT', line.tokens.slice(1), pos, site.report));
    if (pause?.form === 'wait') push({ op: 'wait', durationMs: pause.duration });
    return;
  }
  site.report(
    'SCN131',
    `${object} is not an executable action; use Pump.set, Valve.open, Valve.close, X.on, X.off, Sensor.read or Operator.confirm`,
    token.pos,
  );
  push({ op: 'not-executable', reason: `${object} is not an action of this rig` });
}
