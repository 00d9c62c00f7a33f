import type { Measured } from './measure.ts';

export interface Row extends Measured {
  name: string;
  /** Transactions per second that the line could carry; null without a line rate. */
  limit: number | null;
}

/** `at p50`: the ratio as it would be if every transaction took as long as the middle one. */
const COLUMNS = ['transactions/s', 'limit', 'ratio', 'at p50', 'p50 us', 'p99 us', 'CPU us', 'MiB'];
const NAME_WIDTH = 52;
const WIDTH = 15;

export const percent = (ratio: number, digits = 1): string => `${(100 * ratio).toFixed(digits)} %`;

export function heading(title: string): string {
  return title.padEnd(NAME_WIDTH) + COLUMNS.map((column) => column.padStart(WIDTH)).join('');
}

export function line(row: Row): string {
  const { limit, perSecond } = row;
  const cells = [
    perSecond.toFixed(limit === null ? 0 : 2),
    limit === null ? '-' : limit.toFixed(2),
    limit === null ? '-' : percent(perSecond / limit),
    limit === null ? '-' : percent(1e6 / row.p50Us / limit),
    row.p50Us.toFixed(0),
    row.p99Us.toFixed(0),
    row.cpuUs.toFixed(0),
    row.memoryMib === null ? '-' : row.memoryMib.toFixed(0),
  ];
  return row.name.padEnd(NAME_WIDTH) + cells.map((cell) => cell.padStart(WIDTH)).join('');
}

/** One aim and whether it was reached. */
export function verdict(aim: string, reached: boolean, seen: string): string {
  return `${reached ? 'reached' : 'MISSED '}  ${aim}: ${seen}`;
}
