import { hidInput, type InputNames } from '../../rig/adc/hid-adc.ts';
import type { Outcome, Reading } from '../../rig/adc/reading.ts';
import { HID_SAMPLE_MS, type SampleRequest, UART_SAMPLE_MS } from '../../rig/adc/samples.ts';
import { LOGICAL_NAMES, type LogicalName } from '../../rig/adc/settings.ts';
import type { JobLimits } from '../../rig/adc/turns.ts';
import { type UartInput, uartInput } from '../../rig/adc/uart-adc.ts';
import type { Stack } from './stack.ts';

/** Inputs of the module behind the logical channels. */
const UART_INPUT_OF: Partial<Record<LogicalName, UartInput>> = { ai02: 1, ai03: 2 };

/** Who a logical channel is, whatever becomes of its reading. */
export interface LogicalIdentity {
  logical_channel: number;
  logical_name: LogicalName;
  adapter: string;
  physical_input: string;
  nominal_range_volts: [0, number];
  unit: 'V';
}

export function identityOf(stack: Stack, name: LogicalName): LogicalIdentity {
  const { adapter, physical_input } = inputOf(stack, name);
  return {
    logical_channel: LOGICAL_NAMES.indexOf(name) + 1,
    logical_name: name,
    adapter,
    physical_input,
    nominal_range_volts: [0, rangeOf(stack, name)],
    unit: 'V',
  };
}

/** What one sample of these channels costs, milliseconds: the devices work in parallel, the module's inputs do not. */
export function sampleCostMs(stack: Stack, names: readonly LogicalName[]): number {
  const { hid, uart } = wanted(stack, names);
  return Math.max(hid ? HID_SAMPLE_MS : 0, uart.length * UART_SAMPLE_MS);
}

/**
 * The last good samples of `names` while all of them are at most so old and nothing has failed since; else undefined.
 * Samples of the bank are not kept: they have an age rule of their own.
 */
export function keptReadings(
  stack: Stack,
  names: readonly LogicalName[],
  maxAgeMs: number,
): Map<LogicalName, Outcome<Reading>> | undefined {
  const outcomes = new Map<LogicalName, Outcome<Reading>>();
  for (const name of names) {
    if (stack.bank?.settings.channels.has(name)) return undefined;
    const input = UART_INPUT_OF[name];
    const kept = input === undefined ? stack.hid?.kept(1, maxAgeMs) : stack.uart?.kept(input, maxAgeMs);
    if (!kept) return undefined;
    outcomes.set(name, kept);
  }
  return outcomes;
}

/**
 * Readings of `names`, in their order. No failure of one device reaches the channels of another.
 *
 * @param maxAgeMs of a single channel only: of several devices, a sample would age while another one is waited for
 */
export async function readChannels(
  stack: Stack,
  names: readonly LogicalName[],
  request: SampleRequest,
  limits: JobLimits,
  maxAgeMs = 0,
): Promise<Map<LogicalName, Outcome<Reading>>> {
  const { hid, uart, bank } = wanted(stack, names);
  const [ofHid, ofUart, ofBank] = await Promise.all([
    hid ? stack.hid?.read(request.samples, limits, maxAgeMs) : undefined,
    uart.length > 0 ? stack.uart?.read(uart, request, limits, maxAgeMs) : undefined,
    bank.length > 0 ? stack.bank?.read(bank, limits) : undefined,
  ]);
  if (stack.bank?.bankId) stack.ledger.noteBank(stack.bank.bankId);
  return new Map(
    names.map((name) => {
      const channel = stack.bank?.settings.channels.get(name);
      const input = UART_INPUT_OF[name];
      const outcome =
        channel !== undefined
          ? ofBank?.[bank.indexOf(channel)]
          : input === undefined
            ? ofHid?.[0]
            : ofUart?.[uart.indexOf(input)];
      if (!outcome) throw new TypeError(`no outcome of ${name}`);
      return [name, outcome];
    }),
  );
}

function wanted(stack: Stack, names: readonly LogicalName[]) {
  const bankOf = (name: LogicalName) => stack.bank?.settings.channels.get(name);
  const onBoard = names.filter((name) => bankOf(name) === undefined);
  return {
    hid: onBoard.includes('ai01'),
    uart: onBoard.flatMap((name) => UART_INPUT_OF[name] ?? []),
    bank: names.flatMap((name) => bankOf(name) ?? []),
  };
}

function inputOf(stack: Stack, name: LogicalName): InputNames {
  const channel = stack.bank?.settings.channels.get(name);
  if (stack.bank && channel !== undefined) return stack.bank.input(channel);
  const input = UART_INPUT_OF[name];
  return input === undefined ? hidInput(1) : uartInput(input);
}

function rangeOf(stack: Stack, name: LogicalName): number {
  if (stack.sources[name].adapter === 'bank') return 12;
  return UART_INPUT_OF[name] === undefined ? stack.referenceVolts : 10;
}
