import type { DoctorReport } from '../../diagnostics/doctor/doctor.ts';
import type { Issue } from '../../diagnostics/doctor/finding.ts';
import { type Fold, folds } from '../../diagnostics/doctor/folds.ts';
import type { Io } from '../io/io.ts';
import { wrapped } from '../io/wrapped.ts';
import { detectionLines } from './detect-command.ts';

const ORDER = ['error', 'warn', 'info'] as const;
const WORDS = { error: 'ERROR', warn: 'WARN', info: 'INFO' } as const;

/** The report for people: words beside nothing, no colour, no wider than the terminal. */
export function doctorLines(report: DoctorReport, io: Pick<Io, 'stdout'>): string[] {
  const { status, summary, issues, repairs, not_checked, applied_repairs, detection } = report;
  const line = (text: string, indent: number) => wrapped(text, io.stdout, indent);
  const { errors, warnings, infos } = summary;
  // What stops the rig comes first.
  const open = folds(issues).sort(
    (one, other) => ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity),
  );
  const gone = issues.filter(({ repaired }) => repaired);
  const unapplied = repairs.filter(({ applied }) => !applied);
  return [
    'svc-rig doctor',
    ...line(
      `Status: ${status} (${errors} errors, ${warnings} warnings${infos > 0 ? `, ${infos} notes` : ''})`,
      8,
    ),
    '',
    ...detectionLines(detection, io),
    '',
    open.length + gone.length === 0 ? 'Issues: none' : 'Issues:',
    ...gone.flatMap(({ code, message }) => line(`[REPAIRED] ${code}: ${message}`, 2)),
    ...open.flatMap((one) => foldLines(one, line)),
    ...(not_checked.length > 0
      ? ['Not checked:', ...not_checked.flatMap(({ code, reason }) => line(`  ${code}: ${reason}`, 4))]
      : []),
    ...(applied_repairs.length > 0 ? ['Applied repairs:'] : []),
    ...applied_repairs.flatMap(({ id, path, backup, changes, hint }) => [
      ...line(`  ${id}: ${path} (before: ${backup})`, 4),
      ...Object.entries(changes).flatMap(([key, { from, to }]) => line(`    ${key}: ${from} -> ${to}`, 6)),
      ...line(`    ${hint}`, 4),
    ]),
    ...(unapplied.length > 0 ? ['Unapplied repairs:'] : []),
    ...unapplied.flatMap(({ id, reason, hint }) => line(`  ${id} (${reason}): ${hint}`, 4)),
  ];
}

function foldLines({ head, effects }: Fold, line: (text: string, indent: number) => string[]): string[] {
  const { severity, code, message, evidence, cause, remedy } = head;
  return [
    ...line(`[${WORDS[severity]}] ${code}: ${message}`, 2),
    ...evidence.flatMap(({ source, value }) => line(`  seen: ${source}: ${value}`, 8)),
    ...line(`  cause: ${cause}`, 9),
    ...line(`  fix: ${remedy}`, 7),
    ...effects.flatMap((effect: Issue) =>
      line(`  explains [${WORDS[effect.severity]}] ${effect.code}: ${effect.message}`, 4),
    ),
  ];
}
