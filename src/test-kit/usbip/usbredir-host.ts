import { bytesOf, hexOf } from '../../transports/hex.ts';
import { ByteClient } from './byte-client.ts';

const HEAD_BYTES = 16;
/** connect_device_version, ep_info_max_packet_size, 64bits_ids, 32bits_bulk_length. */
export const CAPABILITIES = 0x72;

export interface RedirMessage {
  type: number;
  id: number;
  /** Hexadecimal. */
  body: string;
}

/** The host's end of usb-redir, with the numbers of QEMU: written from the protocol's document, not from the server. */
export class UsbredirHost {
  readonly client: ByteClient;

  private constructor(client: ByteClient) {
    this.client = client;
  }

  /** Connects and says hello. @returns when the server's hello was read */
  static async greet(path: string, capabilities = CAPABILITIES): Promise<UsbredirHost> {
    const host = new UsbredirHost(await ByteClient.open(path));
    host.client.send(hello(capabilities));
    await host.client.skip(12 + 68);
    return host;
  }

  /** As {@link greet}, and reads what describes the device. */
  static async connect(path: string): Promise<{ host: UsbredirHost; description: RedirMessage[] }> {
    const host = await UsbredirHost.greet(path);
    return { host, description: [await host.read(), await host.read(), await host.read()] };
  }

  send(type: number, id: number, body: string | Uint8Array = ''): void {
    const bytes = typeof body === 'string' ? bytesOf(body) : body;
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE(type, 0);
    head.writeUInt32LE(bytes.length, 4);
    head.writeUInt32LE(id, 8);
    this.client.send(Buffer.concat([head, bytes]));
  }

  async read(): Promise<RedirMessage> {
    const head = Buffer.from(bytesOf(await this.client.read(HEAD_BYTES)));
    const length = head.readUInt32LE(4);
    const body = length === 0 ? '' : await this.client.read(length);
    return { type: head.readUInt32LE(0), id: head.readUInt32LE(8), body };
  }

  async ask(type: number, id: number, body: string | Uint8Array = ''): Promise<RedirMessage> {
    this.send(type, id, body);
    return this.read();
  }

  /** A control transfer. @param setup 8 bytes as on the wire */
  control(id: number, setup: string, data: Uint8Array = new Uint8Array()): Promise<RedirMessage> {
    const [requestType = 0, request = 0, ...rest] = bytesOf(setup);
    const head = Uint8Array.from([requestType & 0x80, request, requestType, 0, ...rest]);
    return this.ask(100, id, Buffer.concat([head, data]));
  }
}

export function hello(capabilities: number): Uint8Array {
  const message = Buffer.alloc(12 + 68);
  message.writeUInt32LE(68, 4);
  message.write('a host', 12);
  message.writeUInt32LE(capabilities, 76);
  return message;
}

export const hex = (bytes: Uint8Array): string => hexOf(bytes);
