import { parseValveWord } from '../../rig/actuators/valve-word.ts';
import type { Token } from '../source/token.ts';
import { parseQuantity } from '../values/quantity.ts';
import { type Args, isOpen } from './args.ts';
import type { Form } from './form.ts';
import { parseConfirm } from './parse-prompt.ts';

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

/** Words of other languages switch too; digits are names, for example of `Valve.1`. */
function actionOf(method: string): (typeof ARROW_ACTIONS)[string] | undefined {
  if (Object.hasOwn(ARROW_ACTIONS, method)) return ARROW_ACTIONS[method];
  const isOn = /^\p{L}+$/u.test(method) ? parseValveWord(method) : undefined;
  return isOn === undefined ? undefined : isOn ? 'on' : 'off';
}

const switched = (object: string, state: 'on' | 'off', token: Token): Form => ({
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
export function parseArrow(args: Args): Form | undefined {
  const arrow = args.tokens[0]!;
  args.report('SCN301', 'arrows are a form of version 1; write SET and GET', arrow.pos);
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
}
