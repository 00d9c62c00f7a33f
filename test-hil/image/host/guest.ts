import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Clock } from '../../../src/lib/clock/clock.ts';
import type { Answer, Commands, Refusal } from '../guest/protocol.ts';
import type { GuestImage } from '../prepare/guest-image.ts';
import { guestArchive } from './guest-archive.ts';

const BOOT_MS = 150_000;
const ANSWER_MS = 60_000;
const CONSOLE = 'console.log';
/** How much of the console an error shows. */
const CONSOLE_CHARACTERS = 3000;

/** What a value is after JSON. */
type Written<T> = T extends undefined ? null : T;
type Result<Name extends keyof Commands> = Written<Awaited<ReturnType<Commands[Name]>>>;

/** The guest refused what it was asked; `code` and `reason` are those of the error inside it. */
export class GuestError extends Error {
  readonly code: string;
  readonly reason: string | null;

  constructor(command: string, { code, message, reason }: Refusal) {
    super(`${command} in the guest: ${message}`);
    this.code = code;
    this.reason = reason;
  }
}

/**
 * A Debian kernel in QEMU, without KVM, as it runs everywhere. It knows this machine's 127.0.0.1 as 10.0.2.2, and its
 * agent answers over a serial port.
 */
export class Guest {
  readonly #qemu: ChildProcess;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #waiting = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (cause: Error) => void }
  >();
  readonly #ended: Promise<unknown>;
  #asked = 0;
  #said = '';
  /** Why nothing can be asked any more. */
  #gone: Error | undefined;

  /** @param usbredir sockets of devices that are plugged into the machine itself */
  static async boot(image: GuestImage, clock: Clock, usbredir: readonly string[] = []): Promise<Guest> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-guest-'));
    let guest: Guest | undefined;
    try {
      const archive = await guestArchive(image, folder);
      guest = new Guest(
        image,
        [...qemuArguments(image, archive, join(folder, CONSOLE)), ...plugs(usbredir)],
        folder,
        clock,
      );
      await guest.#answer(0, 'start', BOOT_MS);
      // It has all of it in its memory.
      rmSync(archive);
      return guest;
    } catch (error) {
      await guest?.end();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(image: GuestImage, args: string[], folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
    this.#qemu = spawn(image.qemu, args, {
      env: {
        ...process.env,
        LD_LIBRARY_PATH: image.libraries.join(':'),
        QEMU_MODULE_DIR: image.qemuModules,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#ended = new Promise((resolve) => {
      this.#qemu.once('error', (cause) => resolve(this.#lose(cause.message)));
      this.#qemu.once('close', (code) => resolve(this.#lose(`QEMU ended with ${code}`)));
    });
    this.#qemu.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    // A guest that dies leaves nobody to write to; its end is told by `close`.
    this.#qemu.stdin?.on('error', () => {});
    if (this.#qemu.stdout)
      createInterface({ input: this.#qemu.stdout }).on('line', (line) => this.#hear(line));
  }

  /** @throws GuestError when it was refused; Error when no answer comes in time */
  async ask<Name extends keyof Commands>(
    name: Name,
    ...args: Parameters<Commands[Name]>
  ): Promise<Result<Name>> {
    if (this.#gone) throw this.#gone;
    const id = ++this.#asked;
    const answer = this.#answer(id, name, ANSWER_MS);
    this.#qemu.stdin?.write(`${JSON.stringify({ id, command: name, args })}\n`);
    const got = await answer;
    if (!got.ok) throw new GuestError(name, got.error);
    return got.value as Result<Name>;
  }

  /** QEMU is gone afterwards, and so are its files. */
  async end(): Promise<void> {
    this.#qemu.kill('SIGKILL');
    await this.#ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The last lines of the kernel and of what ran beside the agent. */
  get console(): string {
    try {
      return `${this.#said}${readFileSync(this.#consoleFile, 'latin1').slice(-CONSOLE_CHARACTERS)}`;
    } catch {
      return this.#said;
    }
  }

  get #consoleFile(): string {
    return join(this.#folder, CONSOLE);
  }

  #answer(id: number, what: string, timeoutMs: number): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const cancel = this.#clock.after(timeoutMs, () =>
        settle(() =>
          reject(new Error(`the guest did not answer "${what}" within ${timeoutMs} ms: ${this.console}`)),
        ),
      );
      const settle = (act: () => void) => {
        cancel();
        this.#waiting.delete(id);
        act();
      };
      this.#waiting.set(id, {
        resolve: (answer) => settle(() => resolve(answer)),
        reject: (cause) => settle(() => reject(cause)),
      });
    });
  }

  #hear(line: string): void {
    const answer = JSON.parse(line) as Answer;
    this.#waiting.get(answer.id)?.resolve(answer);
  }

  #lose(why: string): void {
    this.#gone ??= new Error(`the guest is gone, ${why}: ${this.console}`);
    for (const { reject } of [...this.#waiting.values()]) reject(this.#gone);
  }
}

function qemuArguments(image: GuestImage, archive: string, consoleFile: string): string[] {
  return [
    ...image.firmware.flatMap((folder) => ['-L', folder]),
    ...['-accel', 'tcg', '-m', '1024', '-smp', '1'],
    ...['-nodefaults', '-display', 'none', '-vga', 'none', '-no-reboot'],
    ...['-kernel', image.kernel, '-initrd', archive, '-append', 'console=ttyS0 loglevel=4 panic=1'],
    ...['-serial', `file:${consoleFile}`, '-serial', 'stdio'],
    ...['-netdev', 'user,id=net', '-device', 'e1000,netdev=net,romfile='],
    // A device that is not a twin.
    ...['-device', 'qemu-xhci,id=xhci', '-device', 'usb-kbd'],
  ];
}

/** A device that is unplugged is looked for every second. */
const plugs = (sockets: readonly string[]): string[] =>
  sockets.flatMap((path, index) => [
    ...['-chardev', `socket,id=usb${index},path=${path},reconnect=1`],
    ...['-device', `usb-redir,chardev=usb${index},bus=xhci.0`],
  ]);
