import { readReport, writeReport } from './first-boot/rig-report.ts';
import type { Places } from './places.ts';
import { writeWhole } from './write-whole.ts';

/** Begins the sentence about a second machine of this name in the report. */
const SECOND = 'another machine on this network is called';

/**
 * Keeps what the network said about the name: in memory for svcctl doctor, and in the report where it changes.
 * @param others addresses of the other machines. @throws NodeJS.ErrnoException
 */
export function recordNameCheck(
  places: Places,
  name: string,
  others: readonly string[],
  nowMs: number,
): void {
  const at = new Date(nowMs).toISOString();
  writeWhole(places.at('/run/svc-rig-name.json'), `${JSON.stringify({ name, others, at })}\n`, 0o644);
  const report = readReport(places);
  if (!report) return;
  const problems = report.problems.filter((line) => !line.startsWith(SECOND));
  if (others.length > 0)
    problems.push(`${SECOND} ${name}: ${others.join(', ')}; give one of them another hostname in rig.txt`);
  if (JSON.stringify(problems) !== JSON.stringify(report.problems))
    writeReport(places, { ...report, at, problems });
}
