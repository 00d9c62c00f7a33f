import { normalName } from '../../rig/registry/name.ts';
import { quote } from '../format/words.ts';
import type { InstructionOf } from '../program/instruction.ts';
import type { Command, Flow } from '../run/command.ts';
import { turned } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import { join } from '../safety/state.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    'if-fail': { readonly key: string };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** Runs its body if a command on that sensor, target or path failed or ended in an error in this goal. */
    'if-fail': { readonly key: string; readonly body: readonly Instruction[] };
  }
}

export const ifFail = defineCommand({
  words: {
    IF_FAIL: {
      since: 2,
      args: 'key:label',
      effect: 'control',
      doc: 'Runs its body if a command on that sensor, target or path failed or ended in an error.',
      examples: ["IF_FAIL 'AI01' THEN\n  LOG 'sensor failed'\nEND"],
    },
  },
  form: 'if-fail',
  parse(args) {
    const token = args.need('a sensor, target or path', "IF_FAIL 'AI01' THEN");
    if (/^then:?$/i.test(args.peek()?.text ?? '')) args.take();
    args.end();
    return token && { form: 'if-fail', key: token.text };
  },
  print: ({ key }) => `IF_FAIL ${quote(key)} THEN`,
  compile: ({ key }, line) => line.push({ op: 'if-fail', key, body: line.body.nested(line.statement.body) }),
  operations: {
    'if-fail': {
      plan: ({ key, body }, nested) => [`if-fail ${key}`, ...nested(body)],
      cost: noTime,
      effect: (one, state, walk) =>
        join(state, walk.body(one.body, turned(state, `${walk.placeOf(one)} finds an error`))),
      run: runAfterFailure,
    },
  },
});

/** IF_FAIL: runs when something on that name failed in this goal or erred in an earlier one. */
async function runAfterFailure({ key, body }: InstructionOf<'if-fail'>, command: Command): Promise<Flow> {
  const { run, goal } = command;
  const name = run.text(key);
  const wanted = new Set(aliasesOf(name, command));
  const hit = [...goal.failures, ...run.erred].some((one) =>
    aliasesOf(one, command).some((alias) => wanted.has(alias)),
  );
  return hit ? command.body(body) : undefined;
}

function aliasesOf(name: string, { run }: Command): string[] {
  const ids = [run.registry.sensor(name)?.id, run.registry.peripheral(name)?.id];
  return [normalName(name), ...ids.filter((id) => id !== undefined)];
}
