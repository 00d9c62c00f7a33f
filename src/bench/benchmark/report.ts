import type { Measured } from './measure.ts';

export interface Row extends Measured {
  name: string;
  /** Transactions per second that the line could carry; null without a line rate. */
  limit: number | null;
}

const COLUMNS = ['transactions/s', 'limit', 'ratio', 'p50 us', 'p99 us', 'CPU us', 'MiB'];
const NAME_WIDTH = 52;
const WIDTH = 15;

export function heading(title: string): string {
  return title.padEnd(NAME_WIDTH) + COLUMNS.map((column) => column.padStart(WIDTH)).join('');
}

export function line(row: Row): string {
  const { limit, perSecond } = row;
  const cells = [
    perSecond.toFixed(limit === null ? 0 : 2),
    limit === null ? '-' : limit.toFixed(2),
    limit === null ? '-' : `${((100 * perSecond) / limit).toFixed(1)} %`,
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
