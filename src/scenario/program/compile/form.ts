import { suggest } from '../../diagnostics/suggest.ts';
import type { Form } from '../../forms/form.ts';
import type { Pos } from '../../source/position.ts';
import type { Token } from '../../source/token.ts';
import type { Statement } from '../../syntax/node.ts';
import type { Operation } from '../instruction.ts';
import type { Value } from '../operand.ts';
import { compileSet } from './actuators.ts';
import type { BodyContext } from './body-context.ts';
import { compileCall } from './call.ts';
import { noteReferences, resolveCondition } from './conditions.ts';
import { defineVariable } from './define-variable.ts';
import { compileConditionLine, compileIf } from './if.ts';
import { checkLimits, checkSubjectUnit } from './limits.ts';
import { compileArrow, compileTaskList } from './old-forms.ts';
import { compilePrompt } from './prompt.ts';
import { resolveSubject } from './scope.ts';

/** Turns one understood command into what is executed, looking up its names. */
export function compileForm(
  body: BodyContext,
  form: Form,
  statement: Statement,
  tokens: readonly Token[],
): void {
  const { command, pos } = statement;
  const scope = body.scope;
  const site = body.site;
  const push = (operation: Operation): void =>
    body.push(operation, command, body.textOf(statement, tokens), pos);
  const subject = (name: string, at: Pos) => resolveSubject(name, at, scope, site);
  const subjectNow = (name: string, at: Pos) => resolveSubject(name, at, scope, site, true);
  const value = (one: Value): Value => {
    noteReferences(one, pos, scope, site);
    return one;
  };
  // CALC over one sampled sensor names the sensor itself.
  const sampledOr = (other: (one: Value) => Value) => (one: Value) =>
    one.kind === 'variable' && scope.registry.sensor(one.name) ? one : other(one);
  switch (form.form) {
    case 'set':
      return push(
        compileSet(
          {
            target: form.target,
            targetPos: form.targetToken.pos,
            value: form.value,
            valuePos: form.valuePos,
          },
          scope,
          site,
        ),
      );
    case 'wait':
      if (typeof form.duration !== 'number') body.noteText(form.duration.template, pos);
      return push({ op: 'wait', durationMs: form.duration });
    case 'get': {
      const read = subjectNow(form.name, form.token.pos);
      if (form.unit === undefined) return push({ op: 'read', subject: read });
      checkSubjectUnit(read, form.unit, form.token.pos, scope, site);
      return push({ op: 'read', subject: read, unit: form.unit });
    }
    case 'save': {
      const { label, name, token } = form;
      const known = scope.names.isReached(label) || label.includes('$');
      const of = name ?? (scope.registry.sensor(label) ? label : undefined);
      const saved = of === undefined ? {} : { subject: subject(of, token.pos) };
      defineVariable(label, pos, scope, site, { of: of ?? label });
      const operation: Operation = { op: 'save', label, ...saved };
      if (of === undefined && !known) scope.savesReading.add(operation);
      return push(operation);
    }
    case 'reset-timer':
      return push({ op: 'reset-timer' });
    case 'check': {
      const condition = resolveCondition(form.condition, pos, scope, site);
      return push({ op: 'check', form: 'CHECK', condition, texts: body.open(pos, condition) });
    }
    case 'condition':
      return compileConditionLine(body, form, statement, tokens);
    case 'if':
      return compileIf(body, form, statement, tokens);
    case 'error':
      body.noteText(form.text, pos);
      return push({ op: 'fail-goal', message: form.text });
    case 'bound': {
      const limits = {
        ...(form.low ? { low: value(form.low) } : {}),
        ...(form.high ? { high: value(form.high) } : {}),
      };
      const bounded = subject(form.name, form.token.pos);
      checkLimits(
        { kind: 'subject', subject: bounded },
        [form.low, form.high].flatMap((limit) => limit ?? []),
        { pos, subjectPos: form.token.pos },
        scope,
        site,
      );
      return push({ op: 'bound', form: form.side, subject: bounded, ...limits });
    }
    case 'delta': {
      const changed = subjectNow(form.name, form.token.pos);
      const { threshold } = form;
      const place = { pos, subjectPos: form.token.pos };
      checkLimits({ kind: 'change', subject: changed }, [threshold], place, scope, site);
      return push({
        op: 'delta',
        subject: changed,
        windowMs: form.window,
        direction: form.direction,
        threshold: value(threshold),
        texts: body.open(pos),
      });
    }
    case 'sample': {
      const sampled = subjectNow(form.name, form.token.pos);
      scope.names.sample(form.name);
      return push(
        form.start
          ? { op: 'sample', subject: sampled, action: 'start', intervalMs: form.interval ?? 100 }
          : { op: 'sample', subject: sampled, action: 'stop' },
      );
    }
    case 'log':
      body.noteText(form.text, pos);
      return push({ op: 'log', level: form.level, message: form.text });
    case 'verdict-text':
      body.noteText(form.text, pos);
      if (form.goTo !== undefined) body.noteGoal(form.goTo, form.goToToken?.pos ?? pos);
      return push({
        op: 'verdict-text',
        when: form.when,
        message: form.text,
        ...(form.name === undefined ? {} : { subject: form.name }),
        ...(form.goTo === undefined ? {} : { goTo: form.goTo }),
        ...(form.retry === undefined ? {} : { retry: form.retry }),
      });
    case 'task': {
      const message = form.label === '' ? form.text : `${form.label}: ${form.text}`;
      if (form.confirm)
        return compilePrompt(body, { ...form.confirm, text: message, task: true }, statement, tokens);
      body.noteText(form.text, pos);
      return push({ op: 'log', level: 'task', message });
    }
    case 'prompt':
      return compilePrompt(body, { ...form, task: false }, statement, tokens);
    case 'task-list':
      return compileTaskList(body, form, statement);
    case 'arrow':
      return compileArrow(body, form, statement, tokens);
    case 'declare':
      if (!form.name.includes('$')) scope.names.declare(form.name);
      defineVariable(form.name, pos, scope, site, { value: form.value });
      return push({ op: 'set-variable', name: form.name, value: value(form.value) });
    case 'default':
      // What it declares was taken over before the first command; where it stands has no meaning.
      if (!scope.defaults.has(statement))
        site.report(
          'SCN155',
          `DEFAULT ${form.name} stands inside a macro or a branch; move it above the first block`,
          pos,
        );
      return;
    case 'calc': {
      const args = form.args.map(sampledOr(value));
      defineVariable(form.name, pos, scope, site);
      return push({ op: 'calc', name: form.name, fn: form.fn, args });
    }
    case 'call':
      return compileCall(body, form, statement, tokens);
    case 'repeat':
      return push({ op: 'repeat', count: form.count, body: body.nested(statement.body) });
    case 'loop': {
      const condition = form.condition && resolveCondition(form.condition, pos, scope, site);
      scope.names.define('ITER');
      if (!site.definition) scope.names.reach('ITER');
      return push({
        op: 'loop',
        ...(form.times === undefined ? {} : { times: form.times }),
        ...(condition ? { condition } : {}),
        body: body.nested(statement.body),
      });
    }
    case 'goto':
      body.noteGoal(form.goal, form.token.pos);
      return push({ op: 'goto', goal: form.goal });
    case 'if-fail':
      return push({ op: 'if-fail', key: form.key, body: body.nested(statement.body) });
    case 'expect-device':
    case 'expect-i2c-bus':
    case 'expect-i2c-chip': {
      const { form: op, ...rest } = form;
      return push({ op, ...rest, texts: body.open(pos) } as Operation);
    }
    case 'api':
      body.noteText(form.path, pos);
      return push({
        op: 'api',
        method: form.method,
        path: form.path,
        ...(form.body === undefined ? {} : { body: form.body }),
      });
    case 'assert-status':
      return push({ op: 'assert-status', status: form.status, texts: body.open(pos) });
    case 'assert-json':
      body.noteText(form.expected, pos);
      return push({
        op: 'assert-json',
        path: form.path,
        operator: form.operator,
        expected: form.expected,
        texts: body.open(pos),
      });
    case 'assert-sensor': {
      const read = subjectNow(form.name, form.token.pos);
      const { threshold } = form;
      const place = { pos, subjectPos: form.token.pos };
      checkLimits({ kind: 'subject', subject: read }, [threshold], place, scope, site);
      return push({
        op: 'assert-sensor',
        subject: read,
        operator: form.operator,
        threshold: value(threshold),
        texts: body.open(pos),
      });
    }
    case 'assert-valve':
      return compileAssertValve(body, form, push);
    case 'save-json':
      defineVariable(form.name, pos, scope, site);
      return push({ op: 'save-json', name: form.name });
    case 'export':
      body.noteText(form.value, pos);
      return push({ op: 'export', name: form.name, value: form.value });
    // Read off the block itself.
    case 'optional':
      return undefined;
    case 'not-executable':
      site.report(
        'SCN131',
        `${command} is known but cannot run here: dry-run skips it, execute ends in an error`,
        pos,
      );
      return push({ op: 'not-executable', reason: `${command} is not executable` });
    case 'no-effect':
      site.report('SCN118', `${command} is kept but has no effect`, pos);
      return push({ op: 'no-effect' });
    default:
      return undefined;
  }
}

function compileAssertValve(
  body: BodyContext,
  form: Extract<Form, { form: 'assert-valve' }>,
  push: (operation: Operation) => void,
): void {
  const valve = body.scope.registry.peripheral(form.name);
  const { pos } = form.token;
  if (valve?.kind !== 'valve' && !(body.site.definition && form.name.includes('$'))) {
    body.site.report('SCN221', `"${form.name}" is no valve of this rig`, pos, {
      suggestion: suggest(form.name, body.scope.registry.peripheralNames()),
    });
    push({ op: 'unknown-target', target: form.name, code: 'SCN221' });
    return;
  }
  if (valve && !body.site.definition) body.scope.names.usePeripheral(valve.id);
  push({
    op: 'assert-valve',
    target: form.name,
    id: valve?.id ?? form.name,
    expected: form.expected,
    texts: body.open(pos),
  });
}
