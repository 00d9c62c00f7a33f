import type { Pos } from '../../source/position.ts';
import type { Token } from '../../source/token.ts';
import type { Statement } from '../../syntax/node.ts';
import type { Operation } from '../instruction.ts';
import type { Subject, Value } from '../operand.ts';
import type { BodyContext } from './body-context.ts';
import { noteReferences } from './conditions.ts';
import { resolveSubject, type Scope, type Site } from './scope.ts';

/** One line being compiled, and what the commands need for that. */
export class LineContext {
  readonly body: BodyContext;
  readonly statement: Statement;
  /** Macro arguments are filled in. */
  readonly tokens: readonly Token[];

  constructor(body: BodyContext, statement: Statement, tokens: readonly Token[]) {
    this.body = body;
    this.statement = statement;
    this.tokens = tokens;
  }

  get scope(): Scope {
    return this.body.scope;
  }

  get site(): Site {
    return this.body.site;
  }

  get pos(): Pos {
    return this.statement.pos;
  }

  get command(): string {
    return this.statement.command;
  }

  /** The command as written; in a macro with its arguments filled in. */
  get text(): string {
    return this.body.textOf(this.statement, this.tokens);
  }

  push(operation: Operation): void {
    this.body.push(operation, this.command, this.text, this.pos);
  }

  /** A sensor, the timer or a variable that may be set anywhere in the document. */
  subject(name: string, at: Pos): Subject {
    return resolveSubject(name, at, this.scope, this.site);
  }

  /** A sensor, or a variable that a line above sets. */
  subjectNow(name: string, at: Pos): Subject {
    return resolveSubject(name, at, this.scope, this.site, true);
  }

  /** Notes the variables that a value refers to. */
  value(value: Value): Value {
    noteReferences(value, this.pos, this.scope, this.site);
    return value;
  }
}
