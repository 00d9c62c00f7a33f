import { FLASH, readFlash } from './protocol/flash.ts';
import { getGpio } from './protocol/gpio.ts';
import type { Command, Request } from './protocol/request.ts';
import { getSram } from './protocol/sram.ts';
import { status } from './protocol/status.ts';

/** A chip that has not answered a request within this time will not answer it any more, milliseconds. */
const OWED_MS = 5000;

/** Unanswered requests with one code: the numbers of the first and the latest, and when the latest was sent. */
interface Owed {
  first: number;
  latest: number;
  at: number;
}

/** Requests that change nothing and whose answers differ in their first byte. */
const SYNC_REQUESTS: readonly Request[] = [getSram(), status(), getGpio(), readFlash(FLASH.factorySerial)];

/**
 * Which answer belongs to which request. An answer of the MCP2221A repeats the command and nothing else, so an old
 * answer to command 10 looks exactly like a new one. What is known of the chip:
 *
 * - (a) it answers in the order of the requests, each once or not at all;
 * - (b) a report that comes twice comes twice in a row;
 * - (c) what has not been answered for 5 s is not answered any more.
 *
 * Let a request with code c be sent while no other request with code c can still be answered, neither because it was
 * given up (`owed`, by c) nor because its report could come once more (`last`, by b). Then the first answer with code c
 * is its own, and (by a) no answer to anything before it can follow. Whatever else comes meanwhile is thrown away. So
 * an exchange whose code could be mistaken is preceded by a sync request: an exchange with another, harmless code that cannot
 * be. It holds across closing and opening, since the chip keeps an answer that no one fetched. A reading is always a
 * read of the settings (61) and then a status (10), so it needs no further sync request in an undisturbed run.
 *
 * Answers to another program that has the same interface open come to us as well, and can stand in for our own. One
 * such answer to 10 is from the same chip, made after our sync request: a true value. One to 61 is found out by our own, which
 * then comes in the middle of the reading: the reading is thrown away. What no driver can see is two of them in a row, a
 * 61 and a 10, both asked before ours: the value is then as old as the chip took to answer us, and the settings are
 * those of that moment. The lock keeps our own programs apart; nothing keeps a foreign one away.
 */
export class ReplyMatching {
  readonly #now: () => number;
  readonly #owed: Map<Command, Owed>;
  #sent: number;
  #last: Command | undefined;

  /**
   * @param now monotonic milliseconds
   * @param before what this one begins with
   */
  constructor(now: () => number, before?: ReplyMatching) {
    this.#now = now;
    this.#owed = new Map(before ? before.#owed : []);
    this.#last = before ? before.#last : undefined;
    this.#sent = before ? before.#sent : 0;
  }

  sent(command: Command): void {
    const number = ++this.#sent;
    const first = this.#owedFor(command)?.first ?? number;
    this.#owed.set(command, { first, latest: number, at: this.#now() });
  }

  /** The request's own answer came: whatever was asked before it has been answered, or never will be. */
  answered(command: Command): void {
    this.#owed.clear();
    this.#last = command;
  }

  /** The chip lost its power: it owes nothing. */
  gone(): void {
    this.#owed.clear();
    this.#last = undefined;
  }

  /**
   * A report that answers one of the requests with this code, it is unknown which. By (a) nothing sent before the first
   * of them is answered any more; by (b) that does not hold of a report that may be the last one once more.
   */
  heard(command: Command): void {
    const owed = this.#owedFor(command);
    if (!owed || command === this.#last) return;
    for (const [code, { latest }] of this.#owed) if (latest < owed.first) this.#owed.delete(code);
    this.#last = command;
  }

  /** Whether an answer to `command` that comes now could be an old one. */
  isMistakable(command: Command): boolean {
    return this.#last === command || this.#isOwed(command);
  }

  /** A request that can go ahead of `command`; undefined when answers to all of them are owed. */
  syncRequestFor(command: Command): Request | undefined {
    return SYNC_REQUESTS.find((one) => one.command !== command && !this.isMistakable(one.command));
  }

  /**
   * A harmless request whose answer says only that the chip is alive. The same one until it is heard, so that the others
   * stay free to be sync requests; then another one, so that being heard always says what is not answered any more.
   */
  ping(): Request {
    return SYNC_REQUESTS.find(({ command }) => command !== this.#last) ?? getSram();
  }

  /** Whether at least one exchange can be distinguished from what is owed. */
  get hasSyncRequest(): boolean {
    return SYNC_REQUESTS.some(({ command }) => !this.isMistakable(command));
  }

  #isOwed(command: Command): boolean {
    return this.#owedFor(command) !== undefined;
  }

  #owedFor(command: Command): Owed | undefined {
    const owed = this.#owed.get(command);
    return owed !== undefined && this.#now() - owed.at < OWED_MS ? owed : undefined;
  }
}
