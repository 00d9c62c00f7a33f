import * as z from 'zod';
import { LOGICAL_NAMES, type LogicalName } from '../settings/bank-settings.ts';

/** Where the voltage of one logical channel comes from. */
export const sourceSchema = z.strictObject({
  adapter: z.enum(['usb-adc-usbhid', 'usb-adc-uart', 'bank']),
  /** `MCP2221A.G1`, `DFR1184.AIN1`, or `ch0` of a bank. */
  input: z.string().min(1),
  /** Address of a bank; null on board. */
  url: z.string().nullable(),
  /** Who answers there; null on board, and for a bank that has not answered yet. */
  bank_id: z.string().nullable(),
});
export type ChannelSource = z.output<typeof sourceSchema>;

export const sourcesSchema = z.strictObject({ ai01: sourceSchema, ai02: sourceSchema, ai03: sourceSchema });
export type Sources = Readonly<Record<LogicalName, ChannelSource>>;

/** The channels on the rig's own two devices. */
export const ON_BOARD: Sources = {
  ai01: onBoard('usb-adc-usbhid', 'MCP2221A.G1'),
  ai02: onBoard('usb-adc-uart', 'DFR1184.AIN1'),
  ai03: onBoard('usb-adc-uart', 'DFR1184.AIN2'),
};

/** Whether `now` is the source that was confirmed. A bank that has not answered yet is not held for another one. */
export function isSameSource(now: ChannelSource, confirmed: ChannelSource | undefined): boolean {
  return (
    confirmed !== undefined &&
    now.adapter === confirmed.adapter &&
    now.input === confirmed.input &&
    now.url === confirmed.url &&
    (now.bank_id === null || now.bank_id === confirmed.bank_id)
  );
}

/** For people: `DFR1184.AIN1 on board`, `bank-0/ch0 at http://...`. */
export function sourceText({ adapter, input, url, bank_id: bankId }: ChannelSource): string {
  return adapter === 'bank' ? `${bankId ?? 'a bank'}/${input} at ${url}` : `${input} on board`;
}

export function eachSource<T>(make: (name: LogicalName) => T): Record<LogicalName, T> {
  return Object.fromEntries(LOGICAL_NAMES.map((name) => [name, make(name)])) as Record<LogicalName, T>;
}

function onBoard(adapter: ChannelSource['adapter'], input: string): ChannelSource {
  return { adapter, input, url: null, bank_id: null };
}
