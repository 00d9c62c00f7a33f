import { parse, stringify } from 'yaml';
import { loadScenario } from '../../scenario/load.ts';

/** A scenario of about that many lines, of the kinds of lines that shipped scenarios have. */
export function longScenario(lines: number): string {
  const parts = ['VERSION: 4\nSCENARIO: long\n'];
  for (let count = 2, goal = 0; count < lines; count += 20, goal++) parts.push(goalText(goal));
  return parts.join('');
}

const goalText = (goal: number): string => `GOAL:
  SET NAME 'Goal ${goal}'
  SET pump ${1 + (goal % 9)} l/min
  SET valve-${1 + (goal % 8)} on
  WAIT 500ms
  # a comment
  CHECK 0.1 <= AI01 <= 4.5 V
    CORRECT 'good $p0'
    ERROR 'bad'
  GET AI02
  SAVE p0
  IF AI01 0.60 .. 0.67 V
    ERROR 'window'
  MIN AI03 0.2 V
  GET AI03
  LOG 'step ${goal} done'
  SET valve-${1 + (goal % 8)} off
  REPEAT 2:
    WAIT 10
  REPEAT STOP
`;

export interface ReadingRate {
  readonly lines: number;
  /** CPU time a line, microseconds, median of the repetitions. */
  readonly microseconds: number;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** CPU time of this process spent in `work`, microseconds. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user;
}

/** CPU time a line of reading and checking a scenario once, microseconds. */
function readOnce(text: string, lines: number): number {
  return (
    cpuOf(() => {
      const { diagnostics } = loadScenario(text, 'long.oql', { maxBytes: Number.POSITIVE_INFINITY });
      if (diagnostics.some((one) => one.severity === 'error'))
        throw new Error('the benchmark scenario has errors');
    }) / lines
  );
}

/**
 * Reads and checks scenarios of several lengths, in turn, so that a machine that gets slower meanwhile is slower for
 * all of them. Each length is read as often in a round as makes about `linesARound` lines.
 */
export function measureReading(sizes: readonly number[], rounds: number, linesARound: number): ReadingRate[] {
  const texts = sizes.map(longScenario);
  const times: number[][] = sizes.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [i, text] of texts.entries()) {
      const lines = text.split('\n').length - 1;
      const repetitions = Math.max(1, Math.round(linesARound / lines));
      times[i]!.push(median(Array.from({ length: repetitions }, () => readOnce(text, lines))));
    }
  return texts.map((text, i) => ({ lines: text.split('\n').length - 1, microseconds: median(times[i]!) }));
}

/**
 * The same lines as many short scenarios whose trees are all kept, microseconds a line: what a long scenario would cost
 * if length itself cost nothing, with as much memory held.
 */
export function measureManyKept(files: number, linesEach: number): number {
  const text = longScenario(linesEach);
  const lines = text.split('\n').length - 1;
  const kept: object[] = [];
  const spent = cpuOf(() => {
    for (let i = 0; i < files; i++) kept.push(loadScenario(text, `${i}.oql`).document);
  });
  return spent / (lines * kept.length);
}

/** The peer: the YAML library reading a text of as many lines, microseconds a line. */
export function measureYaml(lines: number): number {
  const text = stringify(
    Array.from({ length: lines / 4 }, (_, i) => ({
      name: `goal ${i}`,
      target: 'pump',
      value: i,
      unit: 'l/min',
    })),
  );
  const count = text.split('\n').length - 1;
  parse(text);
  return cpuOf(() => void parse(text)) / count;
}
