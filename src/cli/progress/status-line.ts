import type { Clock } from '../../lib/clock/clock.ts';
import { cellsOf, widthOf } from '../diagnostics/cells.ts';

/** The part of a terminal that a status line needs. */
export interface Screen {
  write(text: string): unknown;
  /** Current width; read anew at each drawing, so that a resized window is right from then on. */
  readonly columns?: number;
}

/** Shortest time between two drawings, milliseconds. */
const REDRAW_MS = 100;
const DEFAULT_COLUMNS = 80;

/**
 * One line at the bottom of a terminal that is drawn over itself, at most ten times a second. What else is written to
 * the terminal goes through {@link StatusLine.around}.
 */
export class StatusLine {
  readonly #screen: Screen;
  readonly #clock: Clock;
  readonly #text: () => string;
  #drawn = '';
  #cancel: (() => void) | undefined;
  #hidden = false;

  /** @param text the line as it should be now; asked at each drawing */
  constructor(screen: Screen, clock: Clock, text: () => string) {
    this.#screen = screen;
    this.#clock = clock;
    this.#text = text;
  }

  start(): void {
    this.#draw();
  }

  /** Takes the line away for good and ends its timer. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#clear();
  }

  /** Takes the line away while `action` writes or asks something. */
  async hidden<T>(action: () => Promise<T>): Promise<T> {
    this.#hidden = true;
    this.#clear();
    try {
      return await action();
    } finally {
      this.#hidden = false;
    }
  }

  /** Takes the line away, writes, and draws it again at its next turn. */
  around(write: () => void): void {
    this.#clear();
    write();
  }

  #draw(): void {
    if (!this.#hidden) {
      const text = fitting(this.#text(), (this.#screen.columns ?? DEFAULT_COLUMNS) - 1);
      if (text !== this.#drawn) {
        this.#clear();
        this.#screen.write(text);
        this.#drawn = text;
      }
    }
    this.#cancel = this.#clock.after(REDRAW_MS, () => this.#draw());
  }

  /** A window made narrower since the drawing has wrapped the line: all its rows are taken away. */
  #clear(): void {
    if (this.#drawn === '') return;
    const columns = Math.max(1, this.#screen.columns ?? DEFAULT_COLUMNS);
    const rowsAbove = Math.ceil(widthOf(this.#drawn) / columns) - 1;
    this.#screen.write(`${rowsAbove > 0 ? `\x1b[${rowsAbove}A` : ''}\r\x1b[J`);
    this.#drawn = '';
  }
}

/** The beginning of a text that fits into so many columns; control characters cannot act. */
function fitting(text: string, columns: number): string {
  let room = columns;
  let shown = '';
  for (const cell of cellsOf(text)) {
    room -= cell.width;
    if (room < 0) break;
    shown += cell.text;
  }
  return shown;
}
