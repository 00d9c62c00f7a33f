import { openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import type { PulseSettings } from '../configuration/types.ts';

/** The output that feeds the relay, and the contact of the relay. */
export interface PulseLine {
  /** Sets the output. @throws Error when the kernel refuses it */
  set(high: boolean): void;
  /** The output as it was last set, by whichever process. @throws Error when it cannot be read */
  isHigh(): boolean;
  /** undefined where no contact is wired. @throws Error when it cannot be read, or reads neither 0 nor 1 */
  isClosed(): boolean | undefined;
}

/**
 * An output of the LED class below `sys`. The kernel must not blink it by itself: it would feed the relay of a rig that nobody guards.
 * @param sys folder of sysfs, `/sys`
 */
export class LedPulseLine implements PulseLine {
  readonly #folder: string;
  readonly #contact: string | undefined;
  #brightness: number | undefined;

  constructor({ led, readBack }: PulseSettings, sys: string) {
    this.#folder = join(sys, 'class/leds', led);
    this.#contact = readBack && join(sys, readBack);
  }

  set(high: boolean): void {
    this.#brightness ??= this.#open();
    writeSync(this.#brightness, high ? '1\n' : '0\n', 0);
  }

  isHigh(): boolean {
    return readFileSync(join(this.#folder, 'brightness'), 'utf8').trim() !== '0';
  }

  isClosed(): boolean | undefined {
    if (this.#contact === undefined) return undefined;
    let text: string;
    try {
      text = readFileSync(this.#contact, 'utf8').trim();
    } catch (fault) {
      throw new Error(`the contact of the relay cannot be read: ${this.#contact}: ${reasonOf(fault)}`);
    }
    if (text !== '0' && text !== '1')
      throw new Error(
        `the contact of the relay reads "${text.slice(0, 20)}" in ${this.#contact}, not 0 or 1`,
      );
    return text === '1';
  }

  #open(): number {
    const trigger = join(this.#folder, 'trigger');
    try {
      if (!hasNoTrigger(trigger)) writeFileSync(trigger, 'none');
      if (!hasNoTrigger(trigger)) throw new Error('another trigger than none stays set');
      return openSync(join(this.#folder, 'brightness'), 'r+');
    } catch (fault) {
      throw new Error(`the pulse output ${this.#folder} cannot be used: ${reasonOf(fault)}`);
    }
  }
}

/** The kernel lists all triggers, the one in force in brackets. */
const hasNoTrigger = (path: string): boolean => readFileSync(path, 'utf8').includes('[none]');
