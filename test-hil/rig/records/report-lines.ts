import type { StressReport } from './stress.ts';

/** Of the broken promises that are printed; their number is too. */
const MOST_PRINTED = 20;

/**
 * What `stress:records` prints, also of a piece whose records are not yet compared.
 * @param runs that are wanted in all
 */
export function reportLines(report: StressReport, runs: number): string[] {
  const { reported, records, kills, rounds, torn, broken, isChecked } = report;
  return [
    `runs       ${reported} reported, ${records} records`,
    `kills      ${kills}: ${counts(rounds)}`,
    `torn       ${counts(torn)}`,
    ...broken.slice(0, MOST_PRINTED).map((one) => `broken     ${one}`),
    ...(broken.length > 0 ? [`BROKEN: ${broken.length}`] : []),
    ...(isChecked ? [] : [`go on      ${reported} of ${runs} runs: the same command adds the next piece`]),
    ...(isChecked && broken.length === 0
      ? ['kept: no verdict lost, none twice, none left running, every record verifies, the index agrees']
      : []),
  ];
}

const counts = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
