import type { Clock } from '../../lib/clock/clock.ts';
import type { Random } from '../../lib/random/seeded-random.ts';
import { FaultInjector } from '../fault-injector.ts';
import { FrozenCodes } from '../frozen-codes.ts';
import { Knobs } from '../knobs.ts';
import type { SerialTwin } from '../twin.ts';
import type { TwinListener } from '../twin-event.ts';
import { type Command, takeCommand } from './command.ts';
import { faultedAnswer, type UartFault } from './fault.ts';
import { dfr1184Knobs, dfr1184KnobsSchema } from './knobs.ts';
import {
  asciiOf,
  millivoltsOf,
  PROBE_ANSWER,
  REGISTERS,
  rawOfVolts,
  sampleBytes,
  type UartInput,
} from './protocol.ts';

/**
 * Assumed: with a selection wait of 20 ms, 6.2 ms for request and answer at 9600 and 5 ms of listening, a
 * conversion of 16 ms makes one sample take 47 ms.
 */
export const CONVERSION_MS = 16;
/** Assumed: any other command is answered within this time. */
const WORK_MS = 1;
/** Assumed: after this gap half a command is forgotten. Far above one character, since a terminal delivers in lumps. */
const FORGET_MS = 50;
/** What register 0x30 reads: a sample has 24 bits. */
const DATA_WIDTH_BITS = 24;

/**
 * A DFR1184 on its serial line: one command after the other, each answered before the next is looked at. The speed
 * of the line is the bench's.
 */
export class Dfr1184Twin extends FaultInjector<UartFault> implements SerialTwin {
  readonly knobs: Knobs<typeof dfr1184KnobsSchema.shape>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #frozen = new FrozenCodes<number>();
  readonly #volts: (input: UartInput) => number;
  readonly #tell: TwinListener;
  readonly #registers = new Map<number, number>();
  #send: (bytes: Uint8Array) => void = () => {};
  #held: number[] = [];
  #commands: Command[] = [];
  #isBusy = false;
  #cancelWork = () => {};
  #cancelForget = () => {};

  constructor(options: {
    clock: Clock;
    random: Random;
    /** Voltage at an input now. Default 0. */
    volts?: (input: UartInput) => number;
    listener?: TwinListener;
    knobsChanged?: (patch: Record<string, unknown>) => void;
  }) {
    super();
    this.#clock = options.clock;
    this.#random = options.random;
    this.#volts = options.volts ?? (() => 0);
    this.#tell = options.listener ?? (() => {});
    this.knobs = new Knobs({
      device: 'uart',
      schema: dfr1184KnobsSchema,
      atRest: dfr1184Knobs(),
      ...(options.knobsChanged ? { changed: options.knobsChanged } : {}),
    });
  }

  connect(send: (bytes: Uint8Array) => void): void {
    this.#send = send;
  }

  /** The module after its power came back: knobs and faults at rest, nothing selected, no answer owed. */
  reset(): void {
    this.knobs.reset();
    this.forgetFaults();
    this.loseSupply();
  }

  /** Forgets what it was doing, as a module does whose supply is pulled. Knobs and faults stay. */
  loseSupply(): void {
    this.#cancelWork();
    this.#cancelForget();
    this.#held = [];
    this.#commands = [];
    this.#isBusy = false;
    this.#registers.clear();
  }

  receive(bytes: Uint8Array): void {
    if (this.knobs.value.dip_i2c) {
      this.#tell({ kind: 'in', bytes, note: 'DIP switch on I2C: not heard' });
      return;
    }
    this.#held.push(...bytes);
    this.#cancelForget();
    for (;;) {
      const command = takeCommand(this.#held);
      if (!command) break;
      this.#commands.push(command);
    }
    if (this.#held.length > 0) {
      this.#cancelForget = this.#clock.after(FORGET_MS, () => {
        this.#tell({ kind: 'in', bytes: Uint8Array.from(this.#held), note: 'no whole command: ignored' });
        this.#held = [];
      });
    }
    this.#work();
  }

  /** The next command, when the one before it has been answered. */
  #work(): void {
    while (!this.#isBusy) {
      const command = this.#commands.shift();
      if (!command) return;
      this.#tell({ kind: 'in', bytes: command.bytes });
      if (command.kind === 'write') this.#write(command.register, command.data);
      else this.#answer(command);
    }
  }

  #write(register: number, data: Uint8Array): void {
    const { lost_select } = this.knobs.value;
    if (register === REGISTERS.select && lost_select > 0 && this.#random() < lost_select) {
      this.#tell({ kind: 'note', note: 'lost_select: not carried out' });
      return;
    }
    data.forEach((value, index) => {
      this.#registers.set(register + index, value);
    });
    const { stale_byte } = this.knobs.value;
    if (register === REGISTERS.select && stale_byte !== null)
      this.#out(Uint8Array.of(stale_byte), 'stale_byte');
  }

  #answer(command: Exclude<Command, { kind: 'write' }>): void {
    const fault = { ...this.#lastingFault(), ...this.drawnFault() };
    const measures = isMeasurement(command);
    const isMute = isReadBack(command) && this.knobs.value.select_readback === 'silent';
    const bytes = faultedAnswer(
      this.#answerTo(command),
      { ...fault, ...(isMute && { silent: true }) },
      this.#random,
    );
    if (fault.stale_byte !== undefined) this.#out(Uint8Array.of(fault.stale_byte), 'stale_byte');
    const workMs = (measures ? CONVERSION_MS : WORK_MS) + (fault.late_ms ?? 0);
    this.#isBusy = true;
    this.#cancelWork = this.#clock.after(workMs, () => {
      if (bytes.length > 0) this.#out(bytes, noteOf(fault));
      else this.#tell({ kind: 'note', note: 'silent: no answer' });
      this.#isBusy = false;
      this.#work();
    });
  }

  #answerTo(command: Exclude<Command, { kind: 'write' }>): Uint8Array {
    if (command.kind === 'read') return this.#read(command.register, command.count);
    if (command.line === 'AT') return this.knobs.value.at_error ? asciiOf('ERROR\r\n') : PROBE_ANSWER;
    const input = /^AT\+AIN([12])=\?$/.exec(command.line)?.[1];
    if (input === undefined || !this.knobs.value.text_form) return asciiOf('ERROR\r\n');
    const millivolts = millivoltsOf(this.#measure(Number(input))).toFixed(2);
    return asciiOf(`AT+AIN${input}=${millivolts}\r\n`);
  }

  #read(register: number, count: number): Uint8Array {
    if (register === REGISTERS.sample) {
      const sample = sampleBytes(this.#measure(this.#registers.get(REGISTERS.select) ?? 0));
      return Uint8Array.from({ length: count }, (_, index) => sample[index] ?? 0);
    }
    if (register === REGISTERS.dataWidth) {
      return Uint8Array.from({ length: count }, (_, index) => (index === 0 ? DATA_WIDTH_BITS : 0));
    }
    if (register === REGISTERS.select && this.knobs.value.select_readback === 'zero')
      return new Uint8Array(count);
    return Uint8Array.from({ length: count }, (_, index) => this.#registers.get(register + index) ?? 0);
  }

  /** @returns units of 0.01 mV; 0 for an input that does not exist */
  #measure(input: number): number {
    const { ain1_v, ain2_v, raw_override, freeze } = this.knobs.value;
    if (raw_override !== null) return raw_override;
    if (input !== 1 && input !== 2) return 0;
    const byHand = input === 1 ? ain1_v : ain2_v;
    return this.#frozen.code(input, freeze, () => rawOfVolts(byHand ?? this.#volts(input)));
  }

  #lastingFault(): UartFault {
    const { silent, late_ms, truncate, corrupt, doubled, foreign, extra_byte } = this.knobs.value;
    return {
      silent,
      late_ms,
      corrupt,
      doubled,
      foreign,
      truncate: truncate ?? undefined,
      extra_byte: extra_byte ?? undefined,
    };
  }

  #out(bytes: Uint8Array, note: string): void {
    this.#tell({ kind: 'out', bytes, ...(note ? { note } : {}) });
    this.#send(bytes);
  }
}

const isReadBack = (command: Command): boolean =>
  command.kind === 'read' && command.register === REGISTERS.select;

const isMeasurement = (command: Command): boolean =>
  command.kind === 'text'
    ? command.line !== 'AT'
    : command.kind === 'read' && command.register === REGISTERS.sample;

function noteOf(fault: UartFault): string {
  return Object.entries(fault)
    .filter(([name, value]) => value !== undefined && value !== false && !(name === 'late_ms' && value === 0))
    .map(([name, value]) => (value === true ? name : `${name} ${value}`))
    .join(', ');
}
