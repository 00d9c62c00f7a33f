import { suggest } from '../../diagnostics/suggest.ts';
import type { ElseForm } from '../../forms/form.ts';
import type { Pos } from '../../source/position.ts';
import type { Token } from '../../source/token.ts';
import type { BodyItem, Statement } from '../../syntax/node.ts';
import type { Instruction, Operation } from '../instruction.ts';
import type { Condition } from '../operand.ts';
import { appendText, checkContradiction, type OpenTexts, openTexts } from './check-texts.ts';
import { type Scope, type Site, textOf } from './scope.ts';

/** The check that CORRECT, ERROR and ELSE lines after it add their text to. */
interface OpenCheck {
  readonly texts: OpenTexts;
  readonly condition?: Condition;
  readonly pos: Pos;
}

/** A body being compiled: what has come out so far, and the check that text lines still belong to. */
export class BodyContext {
  readonly scope: Scope;
  readonly site: Site;
  readonly out: Instruction[] = [];
  #check: OpenCheck | undefined;

  constructor(scope: Scope, site: Site) {
    this.scope = scope;
    this.site = site;
  }

  /** The command as written; in a macro with its arguments filled in. */
  textOf(statement: Statement, tokens: readonly Token[]): string {
    return this.site.args ? textOf(tokens) : statement.source;
  }

  /** The instructions of lines that belong to a command. */
  nested(items: readonly BodyItem[] | undefined): Instruction[] {
    return items ? this.scope.compileBody(items, this.site) : [];
  }

  push(operation: Operation, command: string, text: string, pos: Pos): void {
    // Every operation is a fresh object: filling it in is many times faster than copying it.
    const instruction = operation as { -readonly [K in keyof Instruction]: Instruction[K] };
    instruction.command = command;
    instruction.text = text;
    instruction.pos = pos;
    if (this.site.stack.length > 0) instruction.stack = this.site.stack;
    this.out.push(instruction as Instruction);
  }

  open(pos: Pos, condition?: Condition): OpenTexts {
    const texts = openTexts();
    this.#check = condition ? { texts, condition, pos } : { texts, pos };
    return texts;
  }

  endCheck(): void {
    const check = this.#check;
    this.#check = undefined;
    if (check?.condition) checkContradiction(check.condition, check.texts, check.pos, this.site);
  }

  /** Texts of the check that the line belongs to; undefined when no check stands above it. */
  get checkTexts(): OpenTexts | undefined {
    return this.#check?.texts;
  }

  applyElse(orElse: ElseForm, texts: OpenTexts, pos: Pos): void {
    if (orElse.branch === 'message') {
      texts.onFalse = orElse.level;
      this.noteText(orElse.text, pos);
      appendText(texts, 'fail', orElse.text, pos, this.site);
    } else if (orElse.branch === 'goal') {
      texts.elseGoal = orElse.goal;
      this.noteGoal(orElse.goal, orElse.token.pos);
    }
  }

  noteText(text: string, pos: Pos): void {
    const { report } = this.site;
    this.scope.names.reference(text, (name) =>
      report(
        'SCN228',
        `the variable ${name} is never set in this scenario; the text shows $${name} unchanged`,
        pos,
      ),
    );
  }

  noteGoal(goal: string, pos: Pos): void {
    if (goal.includes('$')) return;
    const { report } = this.site;
    this.scope.names.goal(goal, (goals) =>
      report('SCN248', `no goal is named "${goal}"`, pos, { suggestion: suggest(goal, goals) }),
    );
  }
}
