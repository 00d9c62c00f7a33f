const SGR = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;

export type Paint = Readonly<Record<keyof typeof SGR, (text: string) => string>>;

const painter = (code: number, on: boolean) => (text: string) =>
  on && text !== '' ? `\x1b[${code}m${text}\x1b[0m` : text;

const paint = (on: boolean): Paint =>
  Object.fromEntries(Object.entries(SGR).map(([name, code]) => [name, painter(code, on)])) as Paint;

export const COLOURED: Paint = paint(true);
export const PLAIN: Paint = paint(false);

/** Colours on a terminal; FORCE_COLOR (other than 0) forces them, else NO_COLOR and TERM=dumb forbid them. */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR === '0' ? PLAIN : COLOURED;
  if (env.NO_COLOR || env.TERM === 'dumb') return PLAIN;
  return stream.isTTY ? COLOURED : PLAIN;
}
