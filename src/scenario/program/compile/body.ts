import { COMMANDS } from '../../commands/table.ts';
import { suggest } from '../../diagnostics/suggest.ts';
import type { ElseForm, Form } from '../../forms/form.ts';
import { parseForm } from '../../forms/parse-form.ts';
import type { Pos } from '../../source/position.ts';
import type { Token } from '../../source/token.ts';
import type { BodyItem, Statement } from '../../syntax/node.ts';
import type { Instruction, Operation } from '../instruction.ts';
import type { Condition, Value } from '../operand.ts';
import { compileSet } from './actuators.ts';
import { appendText, checkContradiction, type OpenTexts, openTexts } from './check-texts.ts';
import { checkSubjectUnit, noteReferences, resolveCondition } from './conditions.ts';
import { fillToken, type Macro, resolveSubject, type Scope, type Site, textOf } from './scope.ts';

/** Most commands that macros may expand to. */
const EXPANSION_LIMIT = 100_000;

/** Version of each command, for SCN302. */
const SINCE: ReadonlyMap<string, number> = new Map(COMMANDS.map((spec) => [spec.name, spec.since]));

/** The check that CORRECT, ERROR and ELSE lines after it add their text to. */
interface OpenCheck {
  readonly texts: OpenTexts;
  readonly condition?: Condition;
  readonly pos: Pos;
}

/** Compiles the lines of a block, a branch or a macro body. */
export function compileBody(items: readonly BodyItem[], scope: Scope, site: Site): Instruction[] {
  return new BodyCompiler(scope, site).compile(items);
}

class BodyCompiler {
  readonly #scope: Scope;
  readonly #site: Site;
  readonly #out: Instruction[] = [];
  #check: OpenCheck | undefined;

  constructor(scope: Scope, site: Site) {
    this.#scope = scope;
    this.#site = site;
  }

  compile(items: readonly BodyItem[]): Instruction[] {
    for (const item of items) {
      if (item.type === 'step') {
        this.#endCheck();
        this.#push(
          { op: 'step', number: item.number, title: item.title },
          'STEP',
          `${item.number}. ${item.title}`,
          item.pos,
        );
      } else if (item.type === 'statement') this.#statement(item);
    }
    this.#endCheck();
    return this.#out;
  }

  #statement(statement: Statement): void {
    const { args } = this.#site;
    const tokens = args ? statement.tokens.map((token) => fillToken(token, args)) : statement.tokens;
    const { command, pos } = statement;
    this.#noteVersion(command, pos);
    const form = parseForm(command, tokens, pos, this.#site.report);
    if (this.#textLine(form, pos)) return;
    this.#endCheck();
    if (!form) {
      // The parts of a broken line are still read, so that their faults are told in the same go.
      if (statement.body) compileBody(statement.body, this.#scope, this.#site);
      if (statement.otherwise) compileBody(statement.otherwise, this.#scope, this.#site);
      return;
    }
    this.#form(form, statement, tokens);
  }

  /** The command as written; in a macro with its arguments filled in. */
  #textOf(statement: Statement, tokens: readonly Token[]): string {
    return this.#site.args ? textOf(tokens) : statement.source;
  }

  #push(operation: Operation, command: string, text: string, pos: Pos): void {
    // Every operation is a fresh object: filling it in is many times faster than copying it.
    const instruction = operation as { -readonly [K in keyof Instruction]: Instruction[K] };
    instruction.command = command;
    instruction.text = text;
    instruction.pos = pos;
    if (this.#site.stack.length > 0) instruction.stack = this.#site.stack;
    this.#out.push(instruction as Instruction);
  }

  // ---- texts of checks -----------------------------------------------------------------------------------------

  /** CORRECT, ERROR and ELSE lines that belong to the check before; true when the line was one. */
  #textLine(form: Form | undefined, pos: Pos): boolean {
    if (!form) return false;
    if (form.form === 'correct') {
      this.#noteText(form.text, pos);
      if (this.#check) appendText(this.#check.texts, 'pass', form.text, pos, this.#site);
      else this.#site.report('SCN129', 'CORRECT follows no check; put it below the check it belongs to', pos);
      return true;
    }
    if (form.form === 'error' && this.#check) {
      this.#noteText(form.text, pos);
      appendText(this.#check.texts, 'fail', form.text, pos, this.#site);
      return true;
    }
    if (form.form !== 'else') return false;
    if (!this.#check) {
      if (form.orElse.branch === 'message')
        this.#site.report('SCN129', 'ELSE follows no check; put it below the IF it belongs to', pos);
      return true;
    }
    this.#applyElse(form.orElse, this.#check.texts, pos);
    return true;
  }

  #applyElse(orElse: ElseForm, texts: OpenTexts, pos: Pos): void {
    if (orElse.branch === 'message') {
      texts.onFalse = orElse.level;
      this.#noteText(orElse.text, pos);
      appendText(texts, 'fail', orElse.text, pos, this.#site);
    } else if (orElse.branch === 'goal') {
      texts.elseGoal = orElse.goal;
      this.#noteGoal(orElse.goal, orElse.token.pos);
    }
  }

  #endCheck(): void {
    const check = this.#check;
    this.#check = undefined;
    if (check?.condition) checkContradiction(check.condition, check.texts, check.pos, this.#site);
  }

  #open(pos: Pos, condition?: Condition): OpenTexts {
    const texts = openTexts();
    this.#check = condition ? { texts, condition, pos } : { texts, pos };
    return texts;
  }

  // ---- names ---------------------------------------------------------------------------------------------------

  // What is reported later must not hold on to this compiler and all it has compiled.

  #noteText(text: string, pos: Pos): void {
    const { report } = this.#site;
    this.#scope.names.reference(text, (name) =>
      report(
        'SCN228',
        `the variable ${name} is never set in this scenario; the text keeps $${name} as it is`,
        pos,
      ),
    );
  }

  #noteGoal(goal: string, pos: Pos): void {
    if (goal.includes('$')) return;
    const { report } = this.#site;
    this.#scope.names.goal(goal, (goals) =>
      report('SCN248', `no goal is named "${goal}"`, pos, { suggestion: suggest(goal, goals) }),
    );
  }

  #noteVersion(command: string, pos: Pos): void {
    const declared = this.#scope.declaredVersion;
    if (declared === undefined || declared >= 4) return;
    const since = SINCE.get(command);
    if (since !== undefined && since > declared)
      this.#site.report(
        'SCN302',
        `${command} came with version ${since}; this scenario declares ${declared}`,
        pos,
      );
  }

  // ---- one form ------------------------------------------------------------------------------------------------

  #form(form: Form, statement: Statement, tokens: readonly Token[]): void {
    const { command, pos } = statement;
    const scope = this.#scope;
    const site = this.#site;
    const push = (operation: Operation): void =>
      this.#push(operation, command, this.#textOf(statement, tokens), pos);
    const subject = (name: string, at: Pos) => resolveSubject(name, at, scope, site);
    const value = (one: Value): Value => {
      noteReferences(one, pos, scope, site);
      return one;
    };
    switch (form.form) {
      case 'set':
        return push(
          compileSet(
            {
              target: form.target,
              targetPos: form.targetToken.pos,
              value: form.value,
              valuePos: form.valueToken.pos,
            },
            scope,
            site,
          ),
        );
      case 'wait':
        if (typeof form.duration !== 'number') this.#noteText(form.duration.template, pos);
        return push({ op: 'wait', durationMs: form.duration });
      case 'get': {
        const read = subject(form.name, form.token.pos);
        if (form.unit === undefined) return push({ op: 'read', subject: read });
        checkSubjectUnit(read, form.unit, form.token.pos, scope, site);
        return push({ op: 'read', subject: read, unit: form.unit });
      }
      case 'save': {
        scope.names.define(form.label);
        if (form.name !== undefined)
          return push({ op: 'save', label: form.label, subject: subject(form.name, form.token.pos) });
        const sensor = scope.registry.sensor(form.label);
        if (sensor)
          return push({ op: 'save', label: form.label, subject: subject(form.label, form.token.pos) });
        return push({ op: 'save', label: form.label });
      }
      case 'check': {
        const condition = resolveCondition(form.condition, pos, scope, site);
        return push({ op: 'check', form: 'CHECK', condition, texts: this.#open(pos, condition) });
      }
      case 'condition':
        return this.#conditionLine(form, statement, tokens);
      case 'if':
        return this.#if(form, statement, tokens);
      case 'error':
        this.#noteText(form.text, pos);
        return push({ op: 'fail-goal', message: form.text });
      case 'bound': {
        const limits = {
          ...(form.low ? { low: value(form.low) } : {}),
          ...(form.high ? { high: value(form.high) } : {}),
        };
        const bounded = subject(form.name, form.token.pos);
        for (const limit of [form.low, form.high])
          if (limit && 'unit' in limit && limit.unit !== undefined)
            checkSubjectUnit(bounded, limit.unit, form.token.pos, scope, site);
        return push({ op: 'bound', form: form.side, subject: bounded, ...limits });
      }
      case 'delta': {
        const changed = subject(form.name, form.token.pos);
        const { threshold } = form;
        if ('unit' in threshold && threshold.unit !== undefined)
          checkSubjectUnit(changed, threshold.unit, form.token.pos, scope, site);
        return push({
          op: 'delta',
          subject: changed,
          windowMs: form.window,
          direction: form.direction,
          threshold: value(threshold),
          texts: this.#open(pos),
        });
      }
      case 'sample': {
        const sampled = subject(form.name, form.token.pos);
        scope.names.sample(form.name);
        return push(
          form.start
            ? { op: 'sample', subject: sampled, action: 'start', intervalMs: form.interval ?? 100 }
            : { op: 'sample', subject: sampled, action: 'stop' },
        );
      }
      case 'log':
        this.#noteText(form.text, pos);
        return push({ op: 'log', level: form.level, message: form.text });
      case 'verdict-text':
        this.#noteText(form.text, pos);
        if (form.goTo !== undefined) this.#noteGoal(form.goTo, form.goToToken?.pos ?? pos);
        return push({
          op: 'verdict-text',
          when: form.when,
          message: form.text,
          ...(form.name === undefined ? {} : { subject: form.name }),
          ...(form.goTo === undefined ? {} : { goTo: form.goTo }),
          ...(form.retry === undefined ? {} : { retry: form.retry }),
        });
      case 'task':
        this.#noteText(form.text, pos);
        return push({
          op: 'log',
          level: 'task',
          message: form.label === '' ? form.text : `${form.label}: ${form.text}`,
        });
      case 'task-list':
        return this.#taskList(form, statement);
      case 'arrow':
        return this.#arrow(form, statement, tokens);
      case 'declare':
        if (!form.name.includes('$')) scope.names.declare(form.name);
        return push({ op: 'set-variable', name: form.name, value: value(form.value) });
      case 'calc':
        scope.names.define(form.name);
        return push({ op: 'calc', name: form.name, fn: form.fn, args: form.args.map(value) });
      case 'call':
        return this.#call(form, statement, tokens);
      case 'repeat':
        return push({ op: 'repeat', count: form.count, body: this.#nested(statement.body) });
      case 'loop': {
        const condition = form.condition && resolveCondition(form.condition, pos, scope, site);
        scope.names.define('ITER');
        return push({
          op: 'loop',
          ...(form.times === undefined ? {} : { times: form.times }),
          ...(condition ? { condition } : {}),
          body: this.#nested(statement.body),
        });
      }
      case 'goto':
        this.#noteGoal(form.goal, form.token.pos);
        return push({ op: 'goto', goal: form.goal });
      case 'if-fail':
        return push({ op: 'if-fail', key: form.key, body: this.#nested(statement.body) });
      case 'expect-device':
      case 'expect-i2c-bus':
      case 'expect-i2c-chip': {
        const { form: op, ...rest } = form;
        return push({ op, ...rest, texts: this.#open(pos) } as Operation);
      }
      case 'api':
        this.#noteText(form.path, pos);
        return push({
          op: 'api',
          method: form.method,
          path: form.path,
          ...(form.body === undefined ? {} : { body: form.body }),
        });
      case 'assert-status':
        return push({ op: 'assert-status', status: form.status, texts: this.#open(pos) });
      case 'assert-json':
        this.#noteText(form.expected, pos);
        return push({
          op: 'assert-json',
          path: form.path,
          operator: form.operator,
          expected: form.expected,
          texts: this.#open(pos),
        });
      case 'assert-sensor': {
        const read = subject(form.name, form.token.pos);
        const { threshold } = form;
        if ('unit' in threshold && threshold.unit !== undefined)
          checkSubjectUnit(read, threshold.unit, form.token.pos, scope, site);
        return push({
          op: 'assert-sensor',
          subject: read,
          operator: form.operator,
          threshold: value(threshold),
          texts: this.#open(pos),
        });
      }
      case 'assert-valve':
        return this.#assertValve(form, push);
      case 'save-json':
        scope.names.define(form.name);
        return push({ op: 'save-json', name: form.name });
      case 'export':
        this.#noteText(form.value, pos);
        return push({ op: 'export', name: form.name, value: form.value });
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

  #nested(items: readonly BodyItem[] | undefined): Instruction[] {
    return items ? compileBody(items, this.#scope, this.#site) : [];
  }

  #conditionLine(
    form: Extract<Form, { form: 'condition' }>,
    statement: Statement,
    tokens: readonly Token[],
  ): void {
    const condition = resolveCondition(form.condition, statement.pos, this.#scope, this.#site);
    const text = this.#textOf(statement, tokens);
    if (form.text !== undefined) this.#noteText(form.text, statement.pos);
    if (form.action === 'WAIT') {
      this.#push(
        { op: 'wait-until', condition, ...(form.text === undefined ? {} : { text: form.text }) },
        'CONDITION',
        text,
        statement.pos,
      );
      return;
    }
    const texts = this.#open(statement.pos, condition);
    if (form.text !== undefined) texts[form.action === 'PASS' ? 'pass' : 'fail'] = form.text;
    this.#push({ op: 'check', form: 'CONDITION', condition, texts }, 'CONDITION', text, statement.pos);
  }

  #if(form: Extract<Form, { form: 'if' }>, statement: Statement, tokens: readonly Token[]): void {
    const { pos } = statement;
    const scope = this.#scope;
    const site = this.#site;
    const conditions = [resolveCondition(form.condition, pos, scope, site)];
    let { orElse } = form;
    let text = this.#textOf(statement, tokens);
    for (const alternative of statement.alternatives ?? []) {
      const filled = site.args
        ? alternative.tokens.map((token) => fillToken(token, site.args!))
        : alternative.tokens;
      const parsed = parseForm('OR IF', filled, alternative.pos, site.report);
      if (parsed?.form !== 'if') continue;
      conditions.push(resolveCondition(parsed.condition, alternative.pos, scope, site));
      orElse ??= parsed.orElse;
      text += ` ${textOf(filled)}`;
    }
    const condition: Condition =
      conditions.length === 1 ? conditions[0]! : { kind: 'any', parts: conditions };
    if (statement.role === 'gate') {
      const then = this.#nested(statement.body);
      const otherwise = [...this.#elseLine(statement), ...this.#nested(statement.otherwise)];
      this.#push({ op: 'gate', condition, then, otherwise }, 'IF', text, pos);
      return;
    }
    const texts = this.#open(pos, condition);
    if (orElse) this.#applyElse(orElse, texts, pos);
    this.#push({ op: 'check', form: 'IF', condition, texts }, 'IF', text, pos);
  }

  /** What stands on the ELSE line of a gate itself. */
  #elseLine({ elseLine }: Statement): Instruction[] {
    if (!elseLine) return [];
    const { args, report } = this.#site;
    const tokens = args ? elseLine.tokens.map((token) => fillToken(token, args)) : elseLine.tokens;
    const form = parseForm('ELSE', tokens, elseLine.pos, report);
    if (form?.form !== 'else' || form.orElse.branch === 'open') return [];
    const inner = new BodyCompiler(this.#scope, this.#site);
    const text = this.#textOf(elseLine, tokens);
    const { orElse } = form;
    if (orElse.branch === 'goal') {
      this.#noteGoal(orElse.goal, orElse.token.pos);
      inner.#push({ op: 'goto', goal: orElse.goal }, 'ELSE', text, elseLine.pos);
    } else {
      this.#noteText(orElse.text, elseLine.pos);
      inner.#push(
        orElse.level === 'error'
          ? { op: 'fail-goal', message: orElse.text }
          : { op: 'log', level: orElse.level, message: orElse.text },
        'ELSE',
        text,
        elseLine.pos,
      );
    }
    return inner.#out;
  }

  #taskList(form: Extract<Form, { form: 'task-list' }>, statement: Statement): void {
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
        this.#push(
          compileSet({ ...request, actuatorOnly: true }, this.#scope, this.#site),
          'TASK:',
          text,
          pos,
        );
      } else if (verb === 'measure') {
        this.#push(
          { op: 'read', subject: resolveSubject(object, token.pos, this.#scope, this.#site) },
          'TASK:',
          text,
          pos,
        );
      } else if (verb === 'save') {
        this.#scope.names.define(object);
        const sensor = this.#scope.registry.sensor(object);
        const subject = sensor ? { subject: resolveSubject(object, token.pos, this.#scope, this.#site) } : {};
        this.#push({ op: 'save', label: object, ...subject }, 'TASK:', text, pos);
      } else {
        this.#site.report(
          'SCN131',
          `"${word}" is no verb of TASK: that can run here; use on, off, open, close, save or measure`,
          token.pos,
        );
        this.#push({ op: 'not-executable', reason: `TASK: cannot ${word}` }, 'TASK:', text, pos);
      }
    }
  }

  #arrow(form: Extract<Form, { form: 'arrow' }>, statement: Statement, tokens: readonly Token[]): void {
    const { pos } = statement;
    const text = this.#textOf(statement, tokens);
    const { action, object, token } = form;
    if (action === 'set' && form.value) {
      const request = {
        target: object,
        targetPos: token.pos,
        value: form.value,
        valuePos: token.pos,
        actuatorOnly: true,
      };
      return this.#push(compileSet(request, this.#scope, this.#site), '→', text, pos);
    }
    if (action === 'read')
      return this.#push(
        { op: 'read', subject: resolveSubject(object, token.pos, this.#scope, this.#site) },
        '→',
        text,
        pos,
      );
    if (action === 'save') {
      this.#scope.names.define(object);
      return this.#push({ op: 'save', label: object }, '→', text, pos);
    }
    if (action === 'confirm') {
      this.#noteText(form.text, pos);
      return this.#push({ op: 'prompt', message: form.text }, '→', text, pos);
    }
    if (action === 'wait') {
      const wait = parseForm('WAIT', tokens.slice(1), pos, this.#site.report);
      if (wait?.form === 'wait') this.#push({ op: 'wait', durationMs: wait.duration }, '→', text, pos);
      return;
    }
    this.#site.report(
      'SCN131',
      `${object} is no action that can run here; use Pump.set, Valve.open, Valve.close, X.on, X.off, Sensor.read or Operator.confirm`,
      token.pos,
    );
    this.#push({ op: 'not-executable', reason: `${object} is no action of this rig` }, '→', text, pos);
  }

  #assertValve(form: Extract<Form, { form: 'assert-valve' }>, push: (operation: Operation) => void): void {
    const valve = this.#scope.registry.peripheral(form.name);
    const { pos } = form.token;
    if (valve?.kind !== 'valve' && !form.name.includes('$')) {
      this.#site.report('SCN221', `"${form.name}" is no valve of this rig`, pos, {
        suggestion: suggest(form.name, this.#scope.registry.peripheralNames()),
      });
      push({ op: 'unknown-target', target: form.name, code: 'SCN221' });
      return;
    }
    if (valve && !this.#site.definition) this.#scope.names.usePeripheral(valve.id);
    push({
      op: 'assert-valve',
      target: form.name,
      id: valve?.id ?? form.name,
      expected: form.expected,
      texts: this.#open(pos),
    });
  }

  // ---- macros --------------------------------------------------------------------------------------------------

  #call(form: Extract<Form, { form: 'call' }>, statement: Statement, tokens: readonly Token[]): void {
    const { pos } = statement;
    const text = this.#textOf(statement, tokens);
    const macro = this.#scope.macros.get(form.macro);
    if (!macro) {
      if (form.macro.includes('$')) return;
      this.#site.report('SCN201', `no macro is named "${form.macro}"`, form.token.pos, {
        suggestion: suggest(form.macro, this.#scope.macros.keys()),
        ...(form.loose ? { severity: 'W' as const } : {}),
      });
      this.#push({ op: 'unknown-macro', macro: form.macro }, statement.command, text, pos);
      return;
    }
    this.#checkArity(macro, form, pos);
    // The cycle itself is reported where the macros are defined; here its expansion just ends.
    if (this.#site.definition || this.#site.chain.includes(macro.name)) return;
    if (this.#scope.expanded > EXPANSION_LIMIT) return;
    const args = form.args.map((token) => token.text);
    const body = this.#expand(macro, args, pos);
    this.#push({ op: 'call', macro: macro.name, args, body }, statement.command, text, pos);
  }

  #checkArity(macro: Macro, form: Extract<Form, { form: 'call' }>, pos: Pos): void {
    const given = form.args.length;
    if (given === macro.arity) return;
    const wanted = `${macro.arity} ${macro.arity === 1 ? 'argument' : 'arguments'}`;
    if (given < macro.arity)
      this.#site.report(
        'SCN202',
        `${macro.name} takes ${wanted}, ${given} given; missing $${given + 1}`,
        pos,
      );
    else
      this.#site.report(
        'SCN202',
        `${macro.name} takes ${wanted}, ${given} given; the rest is not used`,
        pos,
        { severity: 'W' },
      );
  }

  #expand(macro: Macro, args: readonly string[], pos: Pos): Instruction[] {
    const { diagnostics } = this.#scope;
    const stack = [pos, ...this.#site.stack];
    const body = compileBody(macro.block.items, this.#scope, {
      stack,
      chain: [...this.#site.chain, macro.name],
      args,
      definition: false,
      report: (code, message, at, extra) => diagnostics.add(code, message, at, { ...extra, stack }),
    });
    this.#scope.expanded += body.length;
    if (this.#scope.expanded > EXPANSION_LIMIT) {
      this.#site.report(
        'SCN004',
        `macros expand to more than ${EXPANSION_LIMIT} commands; use REPEAT instead of calls of calls`,
        pos,
      );
      return [];
    }
    return body;
  }
}
