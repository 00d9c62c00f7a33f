import { isOpen } from '../forms/args.ts';
import { reportMalformed } from '../forms/malformed.ts';
import type { InstructionOf } from '../program/instruction.ts';
import { renderCheck } from '../program/render-values.ts';
import { lastAnswer, plain } from '../run/assertion.ts';
import type { Command, Flow } from '../run/command.ts';
import { conclude } from '../run/conclude.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    'assert-status': { readonly status: number };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    'assert-status': { readonly status: number; readonly texts: CheckTexts };
  }
}

export const assertStatus = defineCommand({
  words: {
    ASSERT_STATUS: {
      since: 2,
      args: 'status:number',
      effect: 'check',
      doc: 'Checks the HTTP status of the last API call.',
      examples: ["API_GET '/health'\nASSERT_STATUS 200"],
    },
  },
  form: 'assert-status',
  takesTexts: true,
  parse(args) {
    const text = args.take()?.text ?? '';
    args.end();
    const status = /^[1-5]\d\d$/.test(text) ? Number(text) : undefined;
    if (status === undefined && isOpen(text)) return undefined;
    if (status === undefined)
      return reportMalformed(args, 'needs an HTTP status from 100 to 599', 'ASSERT_STATUS 200');
    return { form: 'assert-status', status };
  },
  print: ({ status }) => `ASSERT_STATUS ${status}`,
  compile: ({ status }, line) => line.push({ op: 'assert-status', status, texts: line.body.open(line.pos) }),
  operations: {
    'assert-status': {
      plan: ({ status, texts }) => renderCheck(`assert-status ${status}`, texts),
      cost: noTime,
      effect: moveNothing,
      run: judgeStatus,
    },
  },
});

async function judgeStatus(
  { status, texts }: InstructionOf<'assert-status'>,
  command: Command,
): Promise<Flow> {
  const answer = lastAnswer('ASSERT_STATUS', command);
  const judgement = plain(
    'ASSERT_STATUS',
    answer.status === status,
    `status ${answer.status}, expected ${status}`,
    [],
  );
  return conclude({ ...judgement, actual: answer.status, low: status, high: status }, texts, command);
}
