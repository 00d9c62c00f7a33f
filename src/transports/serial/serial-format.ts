/** Parity and data bits of a serial line; the stop bit is always one. */
export interface SerialFormat {
  parity: Parity;
  dataBits: 7 | 8;
}

export type Parity = 'none' | 'even' | 'odd';

/** Reads `none`, `even`, `odd` and their first letters, in any case; undefined for anything else. */
export function parityOf(text: string): Parity | undefined {
  return (['none', 'even', 'odd'] as const).find((name) =>
    [name, name.slice(0, 1)].includes(text.toLowerCase()),
  );
}

/** Bits of a character on the wire: start bit, data bits, parity bit, stop bit. 10 for 8N1. */
export function characterBits({ parity, dataBits }: SerialFormat): number {
  return 1 + dataBits + (parity === 'none' ? 0 : 1) + 1;
}
