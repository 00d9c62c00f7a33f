import { quote } from '../format/words.ts';
import { defineVariable } from '../program/compile/define-variable.ts';
import type { Operation } from '../program/instruction.ts';
import type { Token } from '../source/token.ts';
import { defineCommand } from './define-command.ts';
import { compileSet } from './set/compile-set.ts';

type Verb = 'on' | 'off' | 'save' | 'measure' | 'other';

interface Action {
  readonly verb: Verb;
  readonly word: string;
  readonly object: string;
  readonly token: Token;
}

declare module '../forms/form.ts' {
  interface Forms {
    'task-list': { readonly actions: readonly Action[] };
  }
}

const WORDS: Readonly<Record<Exclude<Verb, 'other'>, readonly string[]>> = {
  on: ['on', 'open', 'start', 'włącz', 'wlacz', 'otwórz', 'otworz', 'załącz'],
  off: ['off', 'close', 'stop', 'wyłącz', 'wylacz', 'zamknij'],
  save: ['save', 'zapisz'],
  measure: ['measure', 'read', 'get', 'zmierz', 'odczytaj'],
};

const VERBS = new Map(
  Object.entries(WORDS).flatMap(([verb, words]) => words.map((word) => [word, verb as Verb])),
);

/** `TASK: [open] [valve-1] AND [measure] [AI01]` */
export const taskList = defineCommand({
  words: {
    'TASK:': {
      legacy: true,
      args: 'actions:rest',
      effect: 'actuate',
      doc: 'Verb and object, joined by AND: on, off, open, close, save, measure.',
      examples: ['TASK: [open] [valve-1] AND [measure] [AI01]'],
    },
  },
  form: 'task-list',
  parse(args) {
    args.report('SCN301', 'TASK: is version 1 syntax; write SET, SAVE and GET', args.tokens[0]!.pos);
    const groups: Token[][] = [[]];
    for (const token of args.rest()) {
      if (token.kind === 'bare' && /^(and|i|oraz)$/i.test(token.text)) groups.push([]);
      else groups.at(-1)!.push(token);
    }
    const actions: Action[] = [];
    for (const [verb, ...object] of groups) {
      if (!verb || object.length === 0) {
        args.missing('a verb and an object', 'TASK: [open] [valve-1]');
        return undefined;
      }
      actions.push({
        verb: VERBS.get(verb.text.toLowerCase()) ?? 'other',
        word: verb.text,
        object: object.map((token) => token.text).join(' '),
        token: object[0]!,
      });
    }
    return { form: 'task-list', actions };
  },
  print: ({ actions }) =>
    `TASK: ${actions.map(({ word, object }) => `${bracketed(word)} ${bracketed(object)}`).join(' AND ')}`,
  compile({ actions }, line) {
    const { body, scope, site, pos } = line;
    for (const { verb, word, object, token } of actions) {
      const push = (operation: Operation) => body.push(operation, 'TASK:', `TASK: ${word} ${object}`, pos);
      if (verb === 'on' || verb === 'off') {
        const request = {
          target: object,
          targetPos: token.pos,
          value: { kind: 'text', text: verb } as const,
          valuePos: token.pos,
        };
        push(compileSet({ ...request, actuatorOnly: true }, scope, site));
      } else if (verb === 'measure') {
        push({ op: 'read', subject: line.subjectNow(object, token.pos) });
      } else if (verb === 'save') {
        const sensor = scope.registry.sensor(object);
        const known = sensor !== undefined || scope.names.isReached(object);
        defineVariable(object, token.pos, scope, site, { of: object });
        const subject = sensor ? { subject: line.subject(object, token.pos) } : {};
        const operation: Operation = { op: 'save', label: object, ...subject };
        if (!known) scope.savesReading.add(operation);
        push(operation);
      } else {
        site.report(
          'SCN131',
          `"${word}" is not an executable verb of TASK:; use on, off, open, close, save or measure`,
          token.pos,
        );
        push({ op: 'not-executable', reason: `TASK: cannot ${word}` });
      }
    }
  },
  operations: {},
});

const bracketed = (text: string): string => (/[[\]]/.test(text) ? quote(text) : `[${text}]`);
