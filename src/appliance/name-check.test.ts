import { createSocket, type Socket } from 'node:dgram';
import * as assert from 'uvu/assert';
import { systemClock } from '../lib/clock/clock.ts';
import { suite } from '../test-kit/suite.ts';
import { answersFor, othersNamed, questionFor } from './name-check.ts';

const GROUP = '224.0.0.251';
const LOOPBACK = '127.0.0.1';
/** Not 5353, which a responder of this machine may have. */
const PORT = 25_353;
const test = suite('a second machine of one name');

/** Another rig on the network, as its responder answers: on loopback. */
async function responder(name: string): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  await new Promise<void>((resolve) => socket.bind(PORT, resolve));
  socket.addMembership(GROUP, LOOPBACK);
  socket.setMulticastInterface(LOOPBACK);
  const question = questionFor(name);
  socket.on('message', (packet) => {
    if (packet[2] !== 0 || !packet.subarray(12).equals(question.subarray(12))) return;
    // An answer with the name and its address.
    const head = Buffer.from([0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    const owner = question.subarray(12, question.length - 4);
    const record = Buffer.from([0, 1, 0x80, 1, 0, 0, 0, 120, 0, 4, 10, 0, 0, 7]);
    socket.send(Buffer.concat([head, owner, record]), PORT, GROUP);
  });
  return socket;
}

const ask = (name: string, ownAddresses: string[]) =>
  othersNamed(name, { clock: systemClock, port: PORT, interfaceAddress: LOOPBACK, ownAddresses });

test('IMG-012 another machine that answers for the name is found, and this one is not', async () => {
  const other = await responder('rig-0042');
  try {
    assert.equal(await ask('rig-0042', []), [LOOPBACK]);
    assert.equal(await ask('rig-0042', [LOOPBACK]), []);
    assert.equal(await ask('rig-0043', []), []);
  } finally {
    other.close();
  }
});

test('IMG-012 questions, other names and broken packets are no answer', () => {
  assert.is(answersFor(questionFor('rig-0042'), 'rig-0042'), false);
  assert.is(answersFor(Buffer.alloc(5), 'rig-0042'), false);
  assert.is(
    answersFor(Buffer.concat([Buffer.from([0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0])]), 'rig-0042'),
    false,
  );
});

test.run();
