import { parseValveWord } from '../../rig/actuators/valve-word.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { printName } from '../format/words.ts';
import { isOpen } from '../forms/args.ts';
import { reportMalformed } from '../forms/malformed.ts';
import type { InstructionOf } from '../program/instruction.ts';
import { renderCheck } from '../program/render-values.ts';
import { RunFault } from '../rig/fault.ts';
import { plain } from '../run/assertion.ts';
import type { Command, Flow } from '../run/command.ts';
import { conclude } from '../run/conclude.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { readMs } from '../safety/costs.ts';
import type { Token } from '../source/token.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    'assert-valve': { readonly name: string; readonly token: Token; readonly expected: boolean };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    'assert-valve': {
      readonly target: string;
      readonly id: string;
      readonly expected: boolean;
      readonly texts: CheckTexts;
    };
  }
}

export const assertValve = defineCommand({
  words: {
    ASSERT_VALVE: {
      since: 2,
      args: 'valve:target state:word',
      effect: 'check',
      doc: 'Checks the state of a valve as read back by the bridge.',
      examples: ['ASSERT_VALVE valve-1 off'],
    },
  },
  form: 'assert-valve',
  takesTexts: true,
  parse(args) {
    const token = args.take();
    const word = args.take();
    args.end();
    const expected = word && parseValveWord(word.text);
    if (token && word && isOpen(word.text)) return undefined;
    if (!token || expected === undefined)
      return reportMalformed(args, 'needs a valve and a state', 'ASSERT_VALVE valve-1 off');
    return { form: 'assert-valve', name: token.text, token, expected };
  },
  print: ({ name, expected }) => `ASSERT_VALVE ${printName(name)} ${expected ? 'on' : 'off'}`,
  compile({ name, token, expected }, line) {
    const { scope, site } = line;
    const valve = scope.registry.peripheral(name);
    if (valve?.kind !== 'valve' && !(site.definition && name.includes('$'))) {
      site.report('SCN221', `"${name}" is not a valve of this rig`, token.pos, {
        suggestion: suggest(name, scope.registry.peripheralNames()),
      });
      return line.push({ op: 'unknown-target', target: name, code: 'SCN221' });
    }
    if (valve && !site.definition) scope.names.usePeripheral(valve.id);
    line.push({
      op: 'assert-valve',
      target: name,
      id: valve?.id ?? name,
      expected,
      texts: line.body.open(line.pos),
    });
  },
  operations: {
    'assert-valve': {
      plan: ({ id, expected, texts }) =>
        renderCheck(`assert-valve ${id} ${expected ? 'open' : 'closed'}`, texts),
      cost: readMs,
      effect: moveNothing,
      run: judgeValve,
    },
  },
});

async function judgeValve(
  { target, id, expected, texts }: InstructionOf<'assert-valve'>,
  command: Command,
): Promise<Flow> {
  const { run } = command;
  const name = target.includes('$') ? run.strictText(target) : target;
  const valve = run.registry.peripheral(name);
  if (target !== name && valve?.kind !== 'valve')
    throw new RunFault('SCN221', `"${name}" is not a valve of this rig`);
  const names = [name, valve?.id ?? id];
  command.about(...names);
  const word = (open: boolean) => (open ? 'open' : 'closed');
  const open = await command.timed((signal) => run.rig.valveState(valve?.id ?? id, signal));
  const text = `${name} is ${word(open)}, expected ${word(expected)}`;
  return conclude(
    { ...plain('ASSERT_VALVE', open === expected, text, names), sensor: name, actual: open },
    texts,
    command,
  );
}
