import { ENDS, VICTIMS } from './cases.ts';
import type { CaseResult } from './perform-case.ts';

const WIDTH = 16;

/** Rows victims, columns ends: cases, worst milliseconds to safe, broken promises. */
export function tableOf(results: readonly CaseResult[]): string[] {
  const head = ['', ...ENDS].map((text, i) => (i === 0 ? text.padEnd(12) : text.padStart(WIDTH))).join('');
  const rows = VICTIMS.flatMap((victim) => {
    const ofVictim = results.filter((result) => result.case.victim === victim);
    if (ofVictim.length === 0) return [];
    const cells = ENDS.map((end) => cellOf(ofVictim.filter((result) => result.case.end === end)));
    return [victim.padEnd(12) + cells.map((cell) => cell.padStart(WIDTH)).join('')];
  });
  return [head, ...rows];
}

function cellOf(results: readonly CaseResult[]): string {
  if (results.length === 0) return '-';
  const worst = Math.max(...results.map(({ safeAfterMs }) => safeAfterMs ?? Number.POSITIVE_INFINITY));
  const broken = results.filter((result) => result.broken.length > 0).length;
  return `${results.length}: ${Math.round(worst)} ${broken > 0 ? `!${broken}` : 'ok'}`;
}
