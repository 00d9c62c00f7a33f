import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

interface Reply {
  QMP?: unknown;
  return?: unknown;
  error?: { class: string; desc: string };
}

/** QEMU's machine protocol on a Unix socket: one command at a time. */
export class Qmp {
  readonly #socket: Socket;
  readonly #waiting: { resolve: (value: unknown) => void; reject: (cause: Error) => void }[] = [];

  static async open(path: string): Promise<Qmp> {
    const socket = connect(path);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('error', reject);
    });
    const qmp = new Qmp(socket);
    await qmp.ask('qmp_capabilities');
    return qmp;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => {});
    socket.once('close', () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('QEMU has ended'));
    });
    const lines = createInterface({ input: socket });
    // Its end is told by `close`.
    lines.on('error', () => {});
    lines.on('line', (line) => {
      const reply = JSON.parse(line) as Reply;
      // The greeting, and events, answer nothing.
      if (reply.return === undefined && !reply.error) return;
      const asked = this.#waiting.shift();
      if (reply.error) asked?.reject(new Error(`QEMU: ${reply.error.desc}`));
      else asked?.resolve(reply.return);
    });
  }

  ask(execute: string, args: object = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(`${JSON.stringify({ execute, arguments: args })}\n`);
    });
  }

  /** A command of the human monitor. @throws Error with what it says, since it says something on a failure alone */
  async monitor(line: string): Promise<string> {
    return String(await this.ask('human-monitor-command', { 'command-line': line }));
  }

  close(): void {
    this.#socket.destroy();
  }
}
