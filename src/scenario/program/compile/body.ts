import { parseForm } from '../../forms/parse-form.ts';
import type { BodyItem, Statement } from '../../syntax/node.ts';
import type { Instruction } from '../instruction.ts';
import { BodyContext } from './body-context.ts';
import { compileForm } from './form.ts';
import { fillToken, type Scope, type Site } from './scope.ts';

/** Compiles the lines of a block, a branch or a macro body. */
export function compileBody(items: readonly BodyItem[], scope: Scope, site: Site): Instruction[] {
  const body = new BodyContext(scope, site);
  for (const item of items) {
    if (item.type === 'step') {
      body.endCheck();
      const { number, title, pos } = item;
      body.push({ op: 'step', number, title }, 'STEP', `${number}. ${title}`, pos);
    } else if (item.type === 'statement') compileStatement(body, item);
  }
  body.endCheck();
  return body.out;
}

function compileStatement(body: BodyContext, statement: Statement): void {
  const { args } = body.site;
  const tokens = args ? statement.tokens.map((token) => fillToken(token, args)) : statement.tokens;
  const { command, pos } = statement;
  body.noteVersion(command, pos);
  let told = false;
  const form = parseForm(command, tokens, pos, (...finding) => {
    told = true;
    body.site.report(...finding);
  });
  // A command that cannot be understood is never left out in silence: what it would have checked went unchecked.
  if (!form && !told && !body.site.definition)
    body.site.report(
      command.startsWith('ASSERT_') ? 'SCN261' : 'SCN125',
      `${command} needs a value that is known before the run; write a literal instead of a variable`,
      pos,
    );
  if (statement.closer) checkCloser(body, statement.closer);
  if (body.textLine(form, pos)) return;
  body.endCheck();
  if (!form) {
    // The parts of a broken line are still read, so that their faults are told in the same go.
    body.nested(statement.body);
    body.nested(statement.otherwise);
    return;
  }
  compileForm(body, form, statement, tokens);
}

/** A closing line does nothing, but text behind its word may be a command that somebody counts on. */
function checkCloser({ site }: BodyContext, { command, tokens, pos }: Statement): void {
  if (tokens.length > 1) parseForm(command, tokens, pos, site.report);
}
