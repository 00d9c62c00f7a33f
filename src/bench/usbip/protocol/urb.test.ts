import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../../transports/hex.ts';
import { decodeUrb, encodeSubmitReply, encodeUnlinkReply, MAX_OUT_BYTES, urbLength } from './urb.ts';

const test = suite('USB/IP transfers, with the frames that the kernel documents');

const buffer = (hex: string): Buffer => Buffer.from(bytesOf(hex));
const report = (start: string): string => start + '0'.repeat(128 - start.length);

// Captured from the wire, at the end of Documentation/usb/usbip_protocol.rst.
const COMMAND_IN =
  '00000001 00000d05 0001000f 00000001 00000001 00000200 00000040 ffffffff 00000000 00000004 00000000 00000000';
const COMMAND_OUT =
  '00000001 00000d06 0001000f 00000000 00000001 00000000 00000040 ffffffff 00000000 00000004 00000000 00000000';
const OUT_DATA = report('ffffffff860008a784ce5ae212376300');
const REPLY_OUT =
  '00000003 00000d06 00000000 00000000 00000000 00000000 00000040 ffffffff 00000000 00000000 00000000 00000000';
const REPLY_IN =
  '00000003 00000d05 00000000 00000000 00000000 00000000 00000040 ffffffff 00000000 00000000 00000000 00000000';
const IN_DATA = report('ffffffff860011a784ce5ae2123763612891b1020100000400');

/** The document's capture has start_frame ffffffff and 0 packets; its table says the reverse. Both are taken. */
const withStartFrame = (hex: string, frame: string): string => {
  const fields = hex.split(' ');
  fields[7] = frame;
  return fields.join(' ');
};

test('USBIP_CMD_SUBMIT of an interrupt IN transfer', () => {
  assert.equal(decodeUrb(buffer(COMMAND_IN)), {
    kind: 'submit',
    sequence: 0xd05,
    deviceId: 0x1000f,
    direction: 'in',
    endpoint: 1,
    length: 64,
    packets: 0,
    setup: new Uint8Array(8),
    data: new Uint8Array(),
  });
});

test('USBIP_CMD_SUBMIT of an interrupt OUT transfer carries its data', () => {
  const bytes = buffer(`${COMMAND_OUT} ${OUT_DATA}`);
  assert.is(urbLength(bytes.subarray(0, 48)), 112);
  const submit = decodeUrb(bytes);
  assert.ok(submit.kind === 'submit');
  assert.is(submit.direction, 'out');
  assert.is(hexOf(submit.data), hexOf(bytesOf(OUT_DATA)));
});

test('USBIP_CMD_SUBMIT on endpoint 0 carries the setup packet', () => {
  const hex =
    '00000001 00000001 00010002 00000001 00000000 00000200 00000012 00000000 ffffffff 00000000 80060001 00001200';
  const submit = decodeUrb(buffer(hex));
  assert.ok(submit.kind === 'submit');
  assert.is(hexOf(submit.setup), '80 06 00 01 00 00 12 00');
  assert.is(submit.packets, 0xffff_ffff);
});

test('USBIP_CMD_UNLINK', () => {
  const hex = `00000002 00000d07 0001000f 00000000 00000000 00000d05${' 00000000'.repeat(6)}`;
  assert.equal(decodeUrb(buffer(hex)), {
    kind: 'unlink',
    sequence: 0xd07,
    deviceId: 0x1000f,
    unlinked: 0xd05,
  });
});

test('USBIP_RET_SUBMIT of an OUT transfer says how many bytes were taken', () => {
  const reply = encodeSubmitReply(
    { sequence: 0xd06, packets: 0 },
    { status: 0, length: 64, data: new Uint8Array() },
  );
  assert.is(hexOf(reply), hexOf(bytesOf(withStartFrame(REPLY_OUT, '00000000'))));
});

test('USBIP_RET_SUBMIT of an IN transfer carries its data', () => {
  const reply = encodeSubmitReply(
    { sequence: 0xd05, packets: 0 },
    { status: 0, length: 64, data: bytesOf(IN_DATA) },
  );
  assert.is(hexOf(reply), hexOf(bytesOf(`${withStartFrame(REPLY_IN, '00000000')} ${IN_DATA}`)));
});

test('USBIP_RET_SUBMIT of a STALL: -EPIPE, and the number of packets as it came', () => {
  const reply = encodeSubmitReply(
    { sequence: 7, packets: 0xffff_ffff },
    { status: -32, length: 0, data: new Uint8Array() },
  );
  const hex = `00000003 00000007 00000000 00000000 00000000 ffffffe0 00000000 00000000 ffffffff${' 00000000'.repeat(3)}`;
  assert.is(hexOf(reply), hexOf(bytesOf(hex)));
});

test('USBIP_RET_UNLINK: -ECONNRESET', () => {
  const hex = `00000004 00000d07 00000000 00000000 00000000 ffffff98${' 00000000'.repeat(6)}`;
  assert.is(hexOf(encodeUnlinkReply(0xd07, -104)), hexOf(bytesOf(hex)));
});

const REFUSED: [fault: string, field: number, value: string, message: RegExp][] = [
  ['an unknown command', 0, '00000003', /command 3/],
  ['a direction that is none', 3, '00000002', /direction 2/],
  ['an endpoint above 15', 4, '00000010', /endpoint 16/],
  ['an isochronous transfer', 8, '00000001', /isochronous/],
  ['more OUT data than is taken', 6, '00010001', /65537 bytes/],
  ['a negative length', 6, 'ffffffff', /4294967295 bytes/],
];
for (const [fault, field, value, message] of REFUSED)
  test(`${fault} is refused by the head alone`, () => {
    const fields = COMMAND_OUT.split(' ');
    fields[field] = value;
    assert.throws(
      () => urbLength(buffer(fields.join(' '))),
      (error: unknown) => error instanceof RangeError && message.test(error.message),
    );
  });

test('the most OUT data that is taken is taken', () => {
  const fields = COMMAND_OUT.split(' ');
  fields[6] = MAX_OUT_BYTES.toString(16).padStart(8, '0');
  assert.is(urbLength(buffer(fields.join(' '))), 48 + MAX_OUT_BYTES);
});

test.run();
