import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '../places.ts';
import { writeWhole } from '../write-whole.ts';
import type { RigTextFault } from './rig-text.ts';

/** What the starts of this card have found: for a person at a PC, and for svcctl doctor. */
export interface RigReport {
  /** ISO time, of a clock that may be wrong. */
  at: string;
  hostName: string;
  model: string;
  serial: string | null;
  applied: string[];
  faults: RigTextFault[];
  /** What is wrong with the card or the machine. */
  problems: string[];
  /** What was done, for people. */
  done: string[];
  needsRestart: boolean;
}

const reportPath = ({ data }: Places): string => join(data, 'svc-rig/first-boot.json');

/** The last report; undefined where there is none that can be read. */
export function readReport(places: Places): RigReport | undefined {
  try {
    return JSON.parse(readFileSync(reportPath(places), 'utf8')) as RigReport;
  } catch {
    return undefined;
  }
}

/** Writes `rig-report.txt` onto the FAT partition, and the same as JSON onto the data partition. @throws NodeJS.ErrnoException */
export function writeReport(places: Places, report: RigReport): void {
  writeWhole(reportPath(places), `${JSON.stringify(report, undefined, 1)}\n`, 0o644);
  writeWhole(join(places.firmware, 'rig-report.txt'), reportText(report), 0o644);
}

function reportText({
  at,
  hostName,
  model,
  serial,
  applied,
  faults,
  problems,
  done,
  needsRestart,
}: RigReport): string {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];
  const lines = [
    `${hostName} (${model}${serial === null ? '' : `, serial ${serial}`}), report of ${at}`,
    '',
    ...section('PROBLEMS', problems),
    ...section(
      'NOT APPLIED from rig.txt',
      faults.map((fault) => `${placeOf(fault)}${fault.message}`),
    ),
    ...section('Applied from rig.txt', applied),
    ...section('Done', done),
    ...(needsRestart ? ['A setting takes effect with the next start.', ''] : []),
  ];
  return lines.join('\n');
}

const placeOf = ({ line, value }: RigTextFault): string =>
  line === 0 ? 'rig.txt ' : `line ${line}${value === '' ? '' : ` "${value}"`}: `;
