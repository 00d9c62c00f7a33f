import type { Clock } from '../../lib/clock/clock.ts';

/** Longest silence of the stream, ms: `alive` comes every 500 ms. */
const SILENCE_MS = 1500;
/** Longest delay of `alive` against the fastest one of its stream, ms: what comes later is old when it arrives. */
const DELAY_MS = 1500;
const CHECK_MS = 250;
const HEALTH_TIMEOUT_MS = 1000;
/** Time that a new stream gets before it is taken for dead too. */
const REOPEN_MS = 2000;

/** Why nothing arrives: no connection, a server that does not answer, one that refuses, or only the stream is interrupted. */
export type LossReason = 'unreachable' | 'frozen' | 'refused' | 'stream';

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ok' }
  /** `since`: wall clock of this browser at the last sign of life, ms. */
  | { readonly kind: 'lost'; readonly since: number; readonly reason: LossReason | null }
  /** The page is in a hidden tab and asks for nothing. */
  | { readonly kind: 'paused' };

export interface Stream {
  close(): void;
}

export interface StreamHandlers {
  alive(data: string): void;
  run(data: string, id: string): void;
  /** The browser gave the stream up. */
  closed(): void;
}

export interface ConnectionOptions {
  clock: Clock;
  open: (lastEventId: string | undefined, handlers: StreamHandlers) => Stream;
  /** Status of `GET /health`; rejects when there was none. */
  health: (timeoutMs: number) => Promise<number>;
  onState: (state: ConnectionState) => void;
  onAlive: (data: string) => void;
  onRun: (data: string) => void;
}

/**
 * The event stream of the page. A server that hangs leaves its streams open, so that silence itself is the sign: after 1.5 s
 * the connection counts as lost, a new stream is opened, and `/health` is asked for the reason.
 */
export class LiveConnection {
  readonly #options: ConnectionOptions;
  #stream: Stream | undefined;
  #state: ConnectionState = { kind: 'connecting' };
  /** Monotonic, ms. */
  #heardAt: number;
  #openedAt = 0;
  /** Wall clock, ms. */
  #heardTime: number;
  #lastEventId: string | undefined;
  #isAsking = false;
  /** What arrives was sent too long ago: the network, or a browser that draws too slowly, holds it up. */
  #isBehind = false;
  /** Least difference of this stream between our monotonic time and the time in `alive`, ms. */
  #leastOffset = Number.POSITIVE_INFINITY;
  #cancel = () => {};

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#heardAt = options.clock.monotonic();
    this.#heardTime = options.clock.now();
  }

  start(): void {
    this.#open();
    this.#check();
  }

  /** For a tab that is hidden: the stream is closed, and its place is remembered. */
  pause(): void {
    this.#cancel();
    this.#stream?.close();
    this.#stream = undefined;
    this.#set({ kind: 'paused' });
  }

  resume(): void {
    if (this.#state.kind !== 'paused') return;
    this.#heardAt = this.#options.clock.monotonic();
    this.#heardTime = this.#options.clock.now();
    this.#set({ kind: 'connecting' });
    this.start();
  }

  #open(): void {
    this.#stream?.close();
    this.#openedAt = this.#options.clock.monotonic();
    // A clock of the rig that was set is no delay: a new stream measures anew.
    this.#leastOffset = Number.POSITIVE_INFINITY;
    this.#isBehind = false;
    this.#stream = this.#options.open(this.#lastEventId, {
      alive: (data) => {
        this.#isBehind = this.#isLate(data);
        if (!this.#isBehind) this.#heard();
        this.#options.onAlive(data);
      },
      run: (data, id) => {
        if (!this.#isBehind) this.#heard();
        if (id !== '') this.#lastEventId = id;
        this.#options.onRun(data);
      },
      closed: () => {
        this.#stream?.close();
        this.#stream = undefined;
      },
    });
  }

  /** The network or a proxy has held it back, with others behind it. */
  #isLate(data: string): boolean {
    const { time = '' } = JSON.parse(data) as { time?: string };
    const offset = this.#options.clock.monotonic() - Date.parse(time);
    if (Number.isNaN(offset)) return false;
    this.#leastOffset = Math.min(this.#leastOffset, offset);
    return offset - this.#leastOffset > DELAY_MS;
  }

  #heard(): void {
    this.#heardAt = this.#options.clock.monotonic();
    this.#heardTime = this.#options.clock.now();
    if (this.#state.kind !== 'ok') this.#set({ kind: 'ok' });
  }

  #check(): void {
    const now = this.#options.clock.monotonic();
    const isSilent = now - this.#heardAt > SILENCE_MS;
    if (isSilent && this.#state.kind !== 'lost')
      this.#set({ kind: 'lost', since: this.#heardTime, reason: null });
    if (isSilent && !this.#isAsking) void this.#askHealth();
    const isOld = now - this.#openedAt > REOPEN_MS;
    if (isOld && (this.#stream === undefined || isSilent)) this.#open();
    else if (this.#stream === undefined && now - this.#openedAt > SILENCE_MS / 3) this.#open();
    this.#cancel = this.#options.clock.after(CHECK_MS, () => this.#check());
  }

  async #askHealth(): Promise<void> {
    this.#isAsking = true;
    const reason = await this.#options.health(HEALTH_TIMEOUT_MS).then(
      (status): LossReason => (status < 400 ? 'stream' : 'refused'),
      (thrown: unknown): LossReason =>
        thrown instanceof DOMException && thrown.name === 'TimeoutError' ? 'frozen' : 'unreachable',
    );
    this.#isAsking = false;
    if (this.#state.kind === 'lost' && this.#state.reason !== reason) this.#set({ ...this.#state, reason });
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}
