import type { Registry } from '../../../rig/registry/registry.ts';
import type { Form } from '../../forms/form.ts';
import { parseForm } from '../../forms/parse-form.ts';
import type { Token } from '../../source/token.ts';
import type { Statement } from '../../syntax/node.ts';
import type { Operation } from '../instruction.ts';
import { compileSet } from './actuators.ts';
import type { BodyContext } from './body-context.ts';
import { defineVariable } from './define-variable.ts';
import { compilePrompt } from './prompt.ts';
import { resolveSubject } from './scope.ts';

export function compileTaskList(
  body: BodyContext,
  form: Extract<Form, { form: 'task-list' }>,
  statement: Statement,
): void {
  const { pos } = statement;
  for (const { verb, word, object, token } of form.actions) {
    const text = `TASK: ${word} ${object}`;
    if (verb === 'on' || verb === 'off') {
      const request = {
        target: object,
        targetPos: token.pos,
        value: { kind: 'text', text: verb } as const,
        valuePos: token.pos,
      };
      body.push(compileSet({ ...request, actuatorOnly: true }, body.scope, body.site), 'TASK:', text, pos);
    } else if (verb === 'measure') {
      body.push(
        { op: 'read', subject: resolveSubject(object, token.pos, body.scope, body.site, true) },
        'TASK:',
        text,
        pos,
      );
    } else if (verb === 'save') {
      const sensor = body.scope.registry.sensor(object);
      const known = sensor !== undefined || body.scope.names.isReached(object);
      defineVariable(object, token.pos, body.scope, body.site, { of: object });
      const subject = sensor ? { subject: resolveSubject(object, token.pos, body.scope, body.site) } : {};
      const operation: Operation = { op: 'save', label: object, ...subject };
      if (!known) body.scope.savesReading.add(operation);
      body.push(operation, 'TASK:', text, pos);
    } else {
      body.site.report(
        'SCN131',
        `"${word}" is no verb of TASK: that can run here; use on, off, open, close, save or measure`,
        token.pos,
      );
      body.push({ op: 'not-executable', reason: `TASK: cannot ${word}` }, 'TASK:', text, pos);
    }
  }
}

const VALVE_WORD = /^(?:valve|zawór|zawor)$/i;

/**
 * The actuator that `Valve.NC` means: the first name that the rig knows of `Valve-NC`, for a valve in any language
 * `valve-NC`, and `NC` alone. Without one the path itself, so that it is reported as it was written.
 */
function targetOfPath(path: string, registry: Registry): string {
  const dot = path.indexOf('.');
  if (dot < 0) return path;
  const [kind, which] = [path.slice(0, dot), path.slice(dot + 1)];
  const names = [`${kind}-${which}`, ...(VALVE_WORD.test(kind) ? [`valve-${which}`] : []), which];
  return names.find((name) => registry.peripheral(name)) ?? names[0]!;
}

export function compileArrow(
  body: BodyContext,
  form: Extract<Form, { form: 'arrow' }>,
  statement: Statement,
  tokens: readonly Token[],
): void {
  const { pos } = statement;
  const text = body.textOf(statement, tokens);
  const { action, object, token } = form;
  if (action === 'set' && form.value) {
    const request = {
      target: targetOfPath(object, body.scope.registry),
      targetPos: token.pos,
      value: form.value,
      valuePos: token.pos,
      actuatorOnly: true,
    };
    return body.push(compileSet(request, body.scope, body.site), '→', text, pos);
  }
  if (action === 'read')
    return body.push(
      { op: 'read', subject: resolveSubject(object, token.pos, body.scope, body.site, true) },
      '→',
      text,
      pos,
    );
  if (action === 'save') {
    const known = body.scope.names.isReached(object);
    defineVariable(object, token.pos, body.scope, body.site, { of: object });
    const operation: Operation = { op: 'save', label: object };
    if (!known && !body.scope.registry.sensor(object)) body.scope.savesReading.add(operation);
    return body.push(operation, '→', text, pos);
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
    return compilePrompt(body, request, statement, tokens);
  }
  if (action === 'wait') {
    const wait = parseForm('WAIT', tokens.slice(1), pos, body.site.report);
    if (wait?.form === 'wait') body.push({ op: 'wait', durationMs: wait.duration }, '→', text, pos);
    return;
  }
  body.site.report(
    'SCN131',
    `${object} is no action that can run here; use Pump.set, Valve.open, Valve.close, X.on, X.off, Sensor.read or Operator.confirm`,
    token.pos,
  );
  body.push({ op: 'not-executable', reason: `${object} is no action of this rig` }, '→', text, pos);
}
