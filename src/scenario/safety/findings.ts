import { CATALOGUE, type Code } from '../diagnostics/catalogue.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Instruction } from '../program/instruction.ts';
import type { Pos } from '../source/position.ts';

type Placed = Pick<Instruction, 'pos' | 'stack'>;

/** Gathers what the safety check finds: of each kind one finding for each place and subject, the first one. */
export class Findings {
  readonly #found = new Map<string, Diagnostic>();

  /** @param subject what it is about, for example an actuator: another one at the same place is another finding */
  add(code: Code, subject: string, message: string, { pos, stack }: Placed): void {
    const place = [pos, ...(stack ?? [])].map(({ file, line, col }) => `${file}:${line}:${col}`).join(' ');
    const key = `${code} ${subject} ${place}`;
    if (this.#found.has(key)) return;
    this.#found.set(key, {
      code,
      name: CATALOGUE[code].name,
      severity: 'error',
      message,
      pos,
      ...(stack && stack.length > 0 ? { stack } : {}),
    });
  }

  /** In order of file and position, the checked file first. */
  sorted(file: string): Diagnostic[] {
    const where = ({ pos }: Diagnostic) => (pos.file === file ? '' : pos.file);
    return [...this.#found.values()].sort(
      (a, b) =>
        where(a).localeCompare(where(b)) ||
        a.pos.line - b.pos.line ||
        a.pos.col - b.pos.col ||
        a.code.localeCompare(b.code),
    );
  }
}

/** `line 7`, or with the call that led there: `line 3 of lib/x.oql, called at line 7`. */
export function placeName({ pos, stack }: Placed, file: string): string {
  const outermost = stack?.at(-1);
  return outermost ? `${lineOf(pos, file)}, called at ${lineOf(outermost, file)}` : lineOf(pos, file);
}

const lineOf = (pos: Pos, file: string): string =>
  pos.file === file ? `line ${pos.line}` : `line ${pos.line} of ${pos.file.split('/').at(-1) ?? pos.file}`;
