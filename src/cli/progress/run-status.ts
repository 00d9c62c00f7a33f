import type { Clock } from '../../lib/clock/clock.ts';
import type { RunEvent } from '../../scenario/events/event.ts';
import { shownNumber } from '../../scenario/values/shown-number.ts';

/** What a run is doing, in one line: goal, command, elapsed time, last reading. */
export class RunStatus {
  readonly #clock: Clock;
  readonly #startedAt: number;
  #blocks = 0;
  #block = 'preparing';
  #command = '';
  #reading = '';
  #ending = '';

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
  }

  update(event: RunEvent): void {
    switch (event.type) {
      case 'run.start':
        this.#blocks = event.plan.length;
        break;
      case 'block.start': {
        const attempt = event.attempt > 1 ? `, attempt ${event.attempt}` : '';
        this.#block = `${(event.goal ?? 0) + 1}/${this.#blocks} ${event.name}${attempt}`;
        this.#command = '';
        break;
      }
      case 'command.start':
        this.#command = event.text;
        break;
      case 'reading':
        this.#reading = `${event.sensor} = ${shownNumber(event.value, event.resolution)}${event.unit ? ` ${event.unit}` : ''}`;
        break;
      case 'sample':
        if (event.action === 'point' && event.value !== null)
          this.#reading = `${event.sensor} = ${shownNumber(event.value, event.resolution)}${event.unit ? ` ${event.unit}` : ''}`;
        break;
      default:
    }
  }

  /** Says from now on that the run is being ended. */
  ending(how: string): void {
    this.#ending = how;
  }

  text(): string {
    const parts = [
      elapsed(this.#clock.monotonic() - this.#startedAt),
      this.#ending,
      this.#block,
      this.#command,
    ];
    return [...parts, this.#reading].filter((part) => part !== '').join(' | ');
  }
}

/** `01:05`, `1:02:03` */
function elapsed(ms: number): string {
  const total = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(total / 3600);
  const rest = `${two(Math.floor(total / 60) % 60)}:${two(total % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
