import { commandOfForm, SINCE } from '../../commands/table.ts';
import { parseForm } from '../../forms/parse-form.ts';
import type { BodyItem, Statement } from '../../syntax/node.ts';
import type { Instruction } from '../instruction.ts';
import { BodyContext } from './body-context.ts';
import { LineContext } from './line-context.ts';
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
  noteVersion(body, statement);
  let reported = false;
  const form = parseForm(command, tokens, pos, (...finding) => {
    reported = true;
    body.site.report(...finding);
  });
  // A command that cannot be understood is never left out in silence: what it would have checked went unchecked.
  if (!form && !reported && !body.site.definition)
    body.site.report(
      command.startsWith('ASSERT_') ? 'SCN261' : 'SCN125',
      `${command} needs a value known before the run; replace the variable with a literal`,
      pos,
    );
  if (statement.closer) checkCloser(body, statement.closer);
  const definition = form && commandOfForm(form);
  if (!definition?.continuesCheck) body.endCheck();
  if (!form || !definition) {
    // The parts of a broken line are still read, so that their faults are reported in the same go.
    body.nested(statement.body);
    body.nested(statement.otherwise);
    return;
  }
  definition.compile(form, new LineContext(body, statement, tokens));
}

/** A closing line does nothing, but text behind its word may be a command that is relied on. */
function checkCloser({ site }: BodyContext, { command, tokens, pos }: Statement): void {
  if (tokens.length > 1) parseForm(command, tokens, pos, site.report);
}

/** SCN302: the command came with a later version than the one declared. */
function noteVersion({ scope, site }: BodyContext, { command, pos }: Statement): void {
  const declared = scope.declaredVersion;
  if (declared === undefined || declared >= 4) return;
  const since = SINCE.get(command);
  if (since !== undefined && since > declared)
    site.report('SCN302', `${command} came with version ${since}; this scenario declares ${declared}`, pos);
}
