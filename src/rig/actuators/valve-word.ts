const OPEN = ['on', 'open', 'opened', '1', 'true', 'yes', 'włącz', 'otwórz', 'tak'];
const CLOSED = ['off', 'close', 'closed', '0', 'false', 'no', 'wyłącz', 'zamknij', 'nie'];

const STATES = new Map<string, boolean>([
  ...OPEN.map((word): [string, boolean] => [word, true]),
  ...CLOSED.map((word): [string, boolean] => [word, false]),
]);

/** Words that open and close a valve, for diagnostics and documentation. */
export const VALVE_WORDS = { open: OPEN, closed: CLOSED } as const;

/** True = open, false = closed, undefined = no valve state (SCN223). No other text ever opens a valve. */
export const parseValveWord = (text: string): boolean | undefined =>
  STATES.get(text.trim().normalize('NFC').toLowerCase());
