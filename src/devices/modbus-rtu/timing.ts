/** Times of one line, milliseconds. Sources: Modbus over serial line 2.5.1.1; devices.md section 6. */
export interface RtuTiming {
  /** One character of 8N1: 10 bits. */
  characterMs: number;
  /** 3.5 characters, never under 2 ms: what must be silent before a request. */
  silenceMs: number;
  /** From the end of a request to the end of its reply. */
  replyTimeoutMs: number;
  /** The longest that a device may take to answer; how long the line is left alone after a fault. */
  turnaroundMs: number;
  /** All attempts of one read together. */
  totalMs: number;
}

export function rtuTiming(options: {
  baud: number;
  replyTimeoutMs?: number | undefined;
  turnaroundMs?: number | undefined;
}): RtuTiming {
  if (!(options.baud >= 300)) throw new RangeError(`baud ${options.baud} is not 300 or more`);
  const characterMs = 10_000 / options.baud;
  return {
    characterMs,
    silenceMs: Math.max(2, 3.5 * characterMs),
    replyTimeoutMs: options.replyTimeoutMs ?? 500,
    turnaroundMs: options.turnaroundMs ?? 700,
    totalMs: 2000,
  };
}
