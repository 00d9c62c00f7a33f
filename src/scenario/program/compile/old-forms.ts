import type { Form } from '../../forms/form.ts';
import { parseForm } from '../../forms/parse-form.ts';
import type { Token } from '../../source/token.ts';
import type { Statement } from '../../syntax/node.ts';
import { compileSet } from './actuators.ts';
import type { BodyContext } from './body-context.ts';
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
        { op: 'read', subject: resolveSubject(object, token.pos, body.scope, body.site) },
        'TASK:',
        text,
        pos,
      );
    } else if (verb === 'save') {
      body.scope.names.define(object);
      const sensor = body.scope.registry.sensor(object);
      const subject = sensor ? { subject: resolveSubject(object, token.pos, body.scope, body.site) } : {};
      body.push({ op: 'save', label: object, ...subject }, 'TASK:', text, pos);
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
      target: object,
      targetPos: token.pos,
      value: form.value,
      valuePos: token.pos,
      actuatorOnly: true,
    };
    return body.push(compileSet(request, body.scope, body.site), '→', text, pos);
  }
  if (action === 'read')
    return body.push(
      { op: 'read', subject: resolveSubject(object, token.pos, body.scope, body.site) },
      '→',
      text,
      pos,
    );
  if (action === 'save') {
    body.scope.names.define(object);
    return body.push({ op: 'save', label: object }, '→', text, pos);
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
