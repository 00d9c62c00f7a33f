import { VARIABLE_NAME } from '../values/variable-name.ts';
import type { Args } from './args.ts';
import type { Form } from './form.ts';

/** `DEFAULT HIGH 15 mbar`: the value has to be known before the run. */
export function parseDefault(args: Args): Form | undefined {
  const example = 'DEFAULT HIGH 15 mbar';
  const token = args.need('a name and a value', example);
  if (!token) return undefined;
  args.skipEquals();
  const found = args.value('a value', example);
  if (!found) return undefined;
  args.end();
  if (!VARIABLE_NAME.test(token.text)) {
    args.report(
      'SCN156',
      `"${token.text}" cannot be the name of a DEFAULT; start with a letter, then letters, digits, _ . or -`,
      token.pos,
    );
    return undefined;
  }
  if (found.value.kind === 'template') {
    args.report(
      'SCN156',
      `the value of DEFAULT ${token.text} is computed; write a literal, or use SET in a CONFIG block`,
      found.pos,
    );
    return undefined;
  }
  return { form: 'default', name: token.text, token, value: found.value };
}
