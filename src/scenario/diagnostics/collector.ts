import type { Pos } from '../source/position.ts';
import { CATALOGUE, type Code, type SeverityClass } from './catalogue.ts';
import type { Diagnostic, Fix, Severity } from './diagnostic.ts';

interface Extra {
  readonly stack?: readonly Pos[] | undefined;
  readonly suggestion?: string | undefined;
  readonly fix?: Fix | undefined;
  /** Overrides the class of the catalogue for one form. */
  readonly severity?: SeverityClass;
}

interface Entry extends Extra {
  readonly code: Code;
  readonly message: string;
  readonly pos: Pos;
}

export interface SeverityPolicy {
  /** Declared version, or undefined without a header: decides class V. */
  readonly declaredVersion: number | undefined;
  /** What class R is: warning in validate and dry-run, error in execute and strict. */
  readonly rig: 'warning' | 'error';
}

/** Maximum findings of one code listed for one line, which may be very long. */
const MOST_OF_A_LINE = 50;

/** Collects findings and sets their severity at the end, when the declared version is known. */
export class Diagnostics {
  readonly #entries: Entry[] = [];
  readonly #seen = new Set<string>();
  /** Number of findings of a code on a line. */
  readonly #counts = new Map<string, number>();

  add(code: Code, message: string, pos: Pos, extra: Extra = {}): void {
    const line = `${code}\n${pos.file}\n${pos.line}`;
    const key = `${line}\n${pos.col}\n${message}`;
    if (this.#seen.has(key)) return;
    const count = (this.#counts.get(line) ?? 0) + 1;
    if (count > MOST_OF_A_LINE) return;
    this.#counts.set(line, count);
    this.#seen.add(key);
    const more = count === MOST_OF_A_LINE ? '; further ones on this line are not listed' : '';
    this.#entries.push({ code, message: message + more, pos, ...extra });
  }

  /** Findings in order of file and position; class V without a declared version is silent. */
  finish(policy: SeverityPolicy): Diagnostic[] {
    const files = new Map<string, number>();
    for (const { pos } of this.#entries) if (!files.has(pos.file)) files.set(pos.file, files.size);
    const found: Diagnostic[] = [];
    for (const { code, message, pos, stack, suggestion, fix, severity: override } of this.#entries) {
      const severity = severityOf(override ?? CATALOGUE[code].severity, policy);
      if (!severity) continue;
      found.push({
        code,
        name: CATALOGUE[code].name,
        severity,
        message,
        pos,
        ...(stack && stack.length > 0 ? { stack } : {}),
        ...(suggestion === undefined ? {} : { suggestion }),
        ...(fix ? { fix } : {}),
      });
    }
    // A text with errors may still check something: the faulty line may be the check.
    const isBroken = found.some((one) => one.severity === 'error');
    // Likewise it may still use a variable.
    const isBrokenText = found.some((one) => one.severity === 'error' && one.code !== 'SCN152');
    // A macro is not unknown when the file that may define it could not be read: only that file is reported.
    const lacksFile = found.some((one) => one.code === 'SCN204' || one.code === 'SCN206');
    const reported = found.filter(
      (one) =>
        !(isBroken && one.code === 'SCN244') &&
        !(isBrokenText && one.code === 'SCN152') &&
        !(lacksFile && one.code === 'SCN201'),
    );
    return reported.sort(
      (a, b) =>
        files.get(a.pos.file)! - files.get(b.pos.file)! || a.pos.line - b.pos.line || a.pos.col - b.pos.col,
    );
  }
}

function severityOf(severity: SeverityClass, policy: SeverityPolicy): Severity | undefined {
  if (severity === 'E') return 'error';
  if (severity === 'W') return 'warning';
  if (severity === 'I') return 'info';
  if (severity === 'R') return policy.rig;
  if (policy.declaredVersion === undefined) return undefined;
  return policy.declaredVersion >= 4 ? 'error' : 'warning';
}
