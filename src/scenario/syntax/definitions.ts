import type { Token } from '../source/token.ts';

const argument = (tokens: readonly Token[], index: number): string | undefined => {
  const token = tokens[index];
  return (token?.kind === 'bare' && token.text === '=' ? tokens[index + 1] : token)?.text;
};

/** The names that a text defines anywhere, gathered while it is read: a use may stand before its definition. */
export class Definitions {
  /** By VAR and DEFAULT: these win over names that look like actuators. */
  readonly declared = new Set<string>();
  /** By SAVE, CALC, SAVE_JSON and LOOP. */
  readonly defined = new Set<string>();
  /** Targets of SET: variables, unless the rig knows them. */
  readonly targets = new Set<string>();
  /** Sensors whose statistics SAMPLE leaves behind. */
  readonly sampled = new Set<string>();

  /** Notes what a command defines; names that are known only when a macro is expanded are left out. */
  note(command: string, tokens: readonly Token[]): void {
    const first = tokens[1]?.text;
    if (first === undefined || (first.includes('$') && command !== 'PROMPT')) return;
    switch (command) {
      case 'SET':
        this.targets.add(first);
        break;
      case 'VAR':
      case 'DEFAULT':
        this.declared.add(first);
        break;
      case 'SAVE':
        this.defined.add(argument(tokens, 2) ?? first);
        break;
      case 'PROMPT': {
        const as = tokens.findIndex((token, i) => i > 1 && token.kind === 'bare' && /^as$/i.test(token.text));
        const name = as < 0 ? undefined : tokens[as + 1]?.text;
        if (name !== undefined && !name.includes('$')) this.defined.add(name);
        break;
      }
      case 'SAMPLE':
        this.sampled.add(first);
        break;
      case 'LOOP':
        this.defined.add('ITER');
        break;
      case 'CALC':
      case 'SAVE_JSON':
        this.defined.add(first);
        break;
      case 'FUNC':
        if (tokens[2]?.text === '=') this.defined.add(first);
        break;
      default:
    }
  }
}
