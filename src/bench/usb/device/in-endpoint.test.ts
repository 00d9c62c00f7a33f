import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { hexOf } from '../../../transports/hex.ts';
import { InEndpoint } from './in-endpoint.ts';

const test = suite('IN endpoint');

/** Takes transfers 1, 2, ... and writes down how they end. */
function host(endpoint: InEndpoint) {
  const ends: string[] = [];
  const ask = (sequence: number, length = 64) =>
    endpoint.take({
      sequence,
      length,
      done: ({ status, data }) => ends.push(`${sequence}: ${status} ${hexOf(data)}`.trim()),
    });
  return { ends, ask };
}

test('a transfer waits for a packet, and transfers are served in order', () => {
  const endpoint = new InEndpoint();
  const { ends, ask } = host(endpoint);
  ask(1);
  ask(2);
  assert.equal(ends, []);
  endpoint.offer(Uint8Array.of(0xaa));
  endpoint.offer(Uint8Array.of(0xbb));
  assert.equal(ends, ['1: 0 AA', '2: 0 BB']);
});

test('a packet waits for a transfer', () => {
  const endpoint = new InEndpoint();
  const { ends, ask } = host(endpoint);
  endpoint.offer(Uint8Array.of(0xaa));
  ask(1);
  assert.equal(ends, ['1: 0 AA']);
});

test('of packets that no host asks for the newest are kept', () => {
  const endpoint = new InEndpoint(2);
  const { ends, ask } = host(endpoint);
  for (const byte of [1, 2, 3, 4]) endpoint.offer(Uint8Array.of(byte));
  ask(1);
  ask(2);
  ask(3);
  assert.equal(ends, ['1: 0 03', '2: 0 04']);
});

test('a transfer that was given up takes no packet', () => {
  const endpoint = new InEndpoint();
  const { ends, ask } = host(endpoint);
  ask(1);
  ask(2);
  assert.is(endpoint.cancel(1), true);
  assert.is(endpoint.cancel(1), false);
  endpoint.offer(Uint8Array.of(0xaa));
  assert.equal(ends, ['2: 0 AA']);
  assert.is(endpoint.cancel(2), false);
});

test('a packet that the host has no room for is an overflow, not a part of it', () => {
  const endpoint = new InEndpoint();
  const { ends, ask } = host(endpoint);
  ask(1, 63);
  endpoint.offer(new Uint8Array(64));
  assert.equal(ends, ['1: -75']);
});

test('a kept packet does not change when the device reuses its buffer', () => {
  const endpoint = new InEndpoint();
  const { ends, ask } = host(endpoint);
  const packet = Uint8Array.of(1);
  endpoint.offer(packet);
  packet[0] = 2;
  ask(1);
  assert.equal(ends, ['1: 0 01']);
});

test('halting ends what waits with STALL', () => {
  const endpoint = new InEndpoint();
  const { ends, ask } = host(endpoint);
  ask(1);
  endpoint.halt();
  assert.equal(ends, ['1: -32']);
  assert.is(endpoint.waiting, 0);
});

test.run();
