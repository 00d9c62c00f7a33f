import * as assert from 'uvu/assert';
import { seededRandom } from '../../../lib/random/seeded-random.ts';
import { suite } from '../../../test-kit/suite.ts';
import { bytesOf } from '../../../transports/hex.ts';
import { type Message, MessageReader } from './message-reader.ts';

const test = suite('reader of a USB/IP stream');

const IMPORT = bytesOf(`01 11 80 03 00 00 00 00 31 2D 31${' 00'.repeat(29)}`);
const OUT = bytesOf(
  '00000001 00000002 00010002 00000000 00000003 00000000 00000003 00000000 00000000 00000001 00000000 00000000 AABBCC',
);
const UNLINK = bytesOf(`00000002 00000003 00010002 00000000 00000000 00000002${'00000000'.repeat(6)}`);

/** Reads everything; goes over to transfers after the import, as the server does. */
function readAll(reader: MessageReader, chunks: Iterable<Uint8Array>): Message[] {
  const messages: Message[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    for (let message = reader.next(); message; message = reader.next()) {
      if (message.kind === 'import') reader.imported();
      messages.push(message);
    }
  }
  return messages;
}

test('messages are the same however the stream is cut', () => {
  const stream = Buffer.concat([IMPORT, OUT, UNLINK, OUT]);
  const whole = readAll(new MessageReader(), [stream]);
  assert.equal(
    whole.map(({ kind }) => kind),
    ['import', 'submit', 'unlink', 'submit'],
  );
  for (const size of [1, 2, 7, 47, 48, 49]) {
    const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
      stream.subarray(index * size, (index + 1) * size),
    );
    assert.equal(readAll(new MessageReader(), chunks), whole, `cut every ${size} bytes`);
  }
});

test('random bytes give RangeError or nothing, never anything else', () => {
  const random = seededRandom(20);
  const valid = Buffer.concat([IMPORT, OUT, UNLINK]);
  let refused = 0;
  for (let run = 0; run < 3000; run++) {
    const bytes = Buffer.from(valid);
    const changes = 1 + Math.floor(random() * 8);
    for (let change = 0; change < changes; change++)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    try {
      const messages = readAll(new MessageReader(), [bytes]);
      assert.ok(messages.length <= 3);
    } catch (error) {
      assert.instance(error, RangeError);
      refused += 1;
    }
  }
  assert.ok(refused > 300 && refused < 3000, `${refused} refused`);
});

test.run();
