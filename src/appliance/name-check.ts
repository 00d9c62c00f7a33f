import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../lib/clock/clock.ts';

const GROUP = '224.0.0.251';
const PORT = 5353;
/** Responders answer within 120 ms (RFC 6762, 6); asked three times, as a probe is. */
const ASK_AT_MS = [0, 250, 750];
const WAIT_MS = 2000;
const TYPE_A = 1;
const CLASS_IN = 1;
const RESPONSE = 0x8000;

export interface NameCheckOptions {
  clock: Clock;
  /** Default: of multicast DNS. */
  port?: number;
  /** Address of the interface; default: what the system chooses. */
  interfaceAddress?: string;
  /** Addresses of this machine. */
  ownAddresses?: readonly string[];
}

/**
 * Asks by multicast DNS who else has the name `<name>.local`.
 * @returns addresses of other machines that answer for it
 * @throws NodeJS.ErrnoException where there is no network
 */
export async function othersNamed(
  name: string,
  { clock, port = PORT, interfaceAddress, ownAddresses = addressesHere() }: NameCheckOptions,
): Promise<string[]> {
  const others = new Set<string>();
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(port, resolve);
    });
    socket.addMembership(GROUP, interfaceAddress);
    if (interfaceAddress !== undefined) socket.setMulticastInterface(interfaceAddress);
    socket.on('message', (packet, { address }) => {
      if (!ownAddresses.includes(address) && answersFor(packet, name)) others.add(address);
    });
    const question = questionFor(name);
    let asked = 0;
    for (const at of ASK_AT_MS) {
      await clock.sleep(at - asked);
      asked = at;
      await new Promise<void>((resolve, reject) =>
        socket.send(question, port, GROUP, (fault) => (fault ? reject(fault) : resolve())),
      );
    }
    await clock.sleep(WAIT_MS - asked);
  } finally {
    socket.close();
  }
  return [...others].sort();
}

/** One question for an address, RFC 1035. */
export function questionFor(name: string): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([head, encoded(name), Buffer.from([0, TYPE_A, 0, CLASS_IN])]);
}

/** A packet that is an answer, and has the name in it as the owner of a record. */
export function answersFor(packet: Buffer, name: string): boolean {
  if (packet.length < 12 || (packet.readUInt16BE(2) & RESPONSE) === 0 || packet.readUInt16BE(6) === 0)
    return false;
  return packet.toString('latin1').toLowerCase().includes(encoded(name).toString('latin1').toLowerCase());
}

function encoded(name: string): Buffer {
  const labels = `${name}.local`
    .split('.')
    .map((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]);
  return Buffer.concat([...labels.flat(), Buffer.from([0])]);
}

const addressesHere = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
