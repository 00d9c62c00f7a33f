import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { STATUS_ANSWER, type UsbTwins, usbTwins } from '../../test-kit/usbip/twins.ts';
import { UsbHost } from '../../test-kit/usbip/usb-host.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { UsbipServer } from './usbip-server.ts';

interface Context {
  twins: UsbTwins;
  server: UsbipServer;
  adc: UsbHost;
  motor: UsbHost;
}

const test = suite<Context>('the exported devices, asked as Linux asks them');

const ZEROS = new Array<string>(63).fill('00').join(' ');
const STATUS = `10 ${ZEROS}`;

test.before.each(async (context) => {
  context.twins = usbTwins();
  context.server = new UsbipServer({ devices: context.twins.devices, port: 0, clock: systemClock });
  const port = await context.server.open();
  context.adc = await UsbHost.import(port, '1-1', 2);
  context.motor = await UsbHost.import(port, '1-2', 3);
});

test.after.each(async ({ server, adc, motor }) => {
  adc.client.close();
  motor.client.close();
  await server.close();
});

test('a host that asks for 8 bytes of a descriptor gets 8, and for 255 all there are', async ({ adc }) => {
  assert.is(await adc.control('80 06 00 01 00 00 08 00'), '12 01 00 02 EF 02 01 08');
  const device = '12 01 00 02 EF 02 01 08 D8 04 DD 00 00 01 01 02 00 01';
  assert.is(await adc.control('80 06 00 01 00 00 12 00'), device);
  assert.is(await adc.control('80 06 00 01 00 00 FF 00'), device);
  assert.is(await adc.control('80 06 00 02 00 00 09 00'), '09 02 6B 00 03 01 00 80 32');
  assert.is((await adc.control('80 06 00 02 00 00 6B 00')).length, 3 * 107 - 1);
});

test('strings, and the report descriptor of interface 2 only', async ({ adc }) => {
  assert.is(await adc.control('80 06 00 03 00 00 FF 00'), '04 03 09 04');
  assert.match(await adc.control('80 06 01 03 09 04 FF 00'), /^34 03 4D 00 69 00 63 00/);
  assert.match(await adc.control('80 06 02 03 09 04 FF 00'), /^36 03 4D 00 43 00 50 00/);
  assert.is(await adc.control('80 06 03 03 09 04 FF 00'), 'STALL');
  assert.match(await adc.control('81 06 00 22 02 00 1D 00'), /^06 00 FF 09 01 .* 91 00 C0$/);
  assert.is(await adc.control('81 06 00 21 02 00 09 00'), '09 21 11 01 00 01 22 1D 00');
  assert.is(await adc.control('81 06 00 22 00 00 1D 00'), 'STALL');
});

const STANDARD: [what: string, setup: string, answer: string][] = [
  ['SET_ADDRESS', '00 05 07 00 00 00 00 00', ''],
  ['GET_STATUS of the device: bus powered', '80 00 00 00 00 00 02 00', '00 00'],
  ['GET_STATUS of an interface', '81 00 00 00 02 00 02 00', '00 00'],
  ['GET_STATUS of an interface that is not there', '81 00 00 00 03 00 02 00', 'STALL'],
  ['GET_STATUS of an endpoint', '82 00 00 00 83 00 02 00', '00 00'],
  ['GET_STATUS of an endpoint that is not there', '82 00 00 00 84 00 02 00', 'STALL'],
  ['GET_STATUS of the device, one byte of it', '80 00 00 00 00 00 01 00', '00'],
  ['the device qualifier, which only a high-speed device has', '80 06 00 06 00 00 0A 00', 'STALL'],
  ['the second configuration', '80 06 01 02 00 00 FF 00', 'STALL'],
  ['SET_CONFIGURATION 2', '00 09 02 00 00 00 00 00', 'STALL'],
  ['SET_INTERFACE, setting 0', '01 0B 00 00 01 00 00 00', ''],
  ['SET_INTERFACE, setting 1', '01 0B 01 00 01 00 00 00', 'STALL'],
  ['GET_INTERFACE', '81 0A 00 00 02 00 01 00', '00'],
  ['SET_FEATURE remote wake-up', '00 03 01 00 00 00 00 00', 'STALL'],
  ['SET_DESCRIPTOR', '00 07 00 01 00 00 00 00', 'STALL'],
  ['a standard request to something else', '83 00 00 00 00 00 02 00', 'STALL'],
  ['SET_IDLE', '21 0A 00 00 02 00 00 00', ''],
  ['GET_REPORT on endpoint 0', 'A1 01 00 01 02 00 40 00', 'STALL'],
  ['SET_CONTROL_LINE_STATE', '21 22 03 00 00 00 00 00', ''],
  ['SEND_BREAK', '21 23 FF FF 00 00 00 00', 'STALL'],
  ['GET_LINE_CODING: 115200 8N1', 'A1 21 00 00 00 00 07 00', '00 C2 01 00 00 00 08'],
  ['GET_LINE_CODING of the HID interface', 'A1 21 00 00 02 00 07 00', 'STALL'],
  ['a vendor request to the MCP2221A', 'C0 A1 00 00 00 00 5A 00', 'STALL'],
];
for (const [what, setup, answer] of STANDARD)
  test(`${what}: ${answer || 'taken'}`, async ({ adc }) => {
    assert.is(await adc.control(setup), answer);
  });

test('SET_REPORT on endpoint 0 does not reach the chip', async ({ adc, twins }) => {
  assert.is(await adc.control('21 09 00 02 02 00 40 00', STATUS), 'STALL');
  assert.equal(twins.reports(), []);
});

test('a configuration can be chosen, read back and left', async ({ adc }) => {
  assert.is(await adc.control('80 08 00 00 00 00 01 00'), '00');
  await adc.configure();
  assert.is(await adc.control('80 08 00 00 00 00 01 00'), '01');
  assert.is(await adc.control('00 09 00 00 00 00 00 00'), '');
  assert.is(await adc.control('80 08 00 00 00 00 01 00'), '00');
});

test('no endpoint but 0 works before a configuration is chosen', async ({ adc, twins }) => {
  adc.submit({ direction: 'out', endpoint: 3, data: STATUS });
  assert.is((await adc.reply('out')).status, -32);
  adc.submit({ direction: 'in', endpoint: 3, length: 64 });
  assert.is((await adc.reply('in')).status, -32);
  assert.equal(twins.reports(), []);
});

test('a status exchange goes over the interrupt endpoints byte for byte', async ({ adc, twins }) => {
  await adc.configure();
  const asked = adc.submit({ direction: 'in', endpoint: 3, length: 64 });
  const sent = adc.submit({ direction: 'out', endpoint: 3, data: STATUS });
  assert.equal(await adc.reply('out'), { sequence: sent, status: 0, data: '' });
  const reply = await adc.reply('in');
  assert.equal([reply.sequence, reply.status], [asked, 0]);
  assert.match(reply.data, STATUS_ANSWER);
  const [answer] = twins.adcEvents.flatMap((event) => (event.kind === 'out' ? [hexOf(event.bytes)] : []));
  assert.is(reply.data, answer);
});

test('an answer that comes before the host asks for it is kept', async ({ adc, twins }) => {
  await adc.configure();
  adc.submit({ direction: 'out', endpoint: 3, data: STATUS });
  await adc.reply('out');
  while (!twins.adcEvents.some(({ kind }) => kind === 'out')) await systemClock.sleep(1);
  adc.submit({ direction: 'in', endpoint: 3, length: 64 });
  assert.match((await adc.reply('in')).data, STATUS_ANSWER);
});

test('what the chip said before the host chose a configuration is not kept for it', async ({
  adc,
  twins,
}) => {
  twins.hub.receive(bytesOf(STATUS));
  while (!twins.adcEvents.some(({ kind }) => kind === 'out')) await systemClock.sleep(1);
  await adc.configure();
  adc.submit({ direction: 'in', endpoint: 3, length: 64 });
  await adc.control('80 00 00 00 00 00 02 00');
  assert.is(adc.client.unread, 0);
});

test('DEV-057 two packets in one transfer are two reports; a short packet is a report too, as hid_mcp2221 sends it', async ({
  adc,
  twins,
}) => {
  await adc.configure();
  adc.submit({ direction: 'out', endpoint: 3, data: `${STATUS} ${STATUS}` });
  await adc.reply('out');
  assert.is(twins.reports().length, 2);
  adc.submit({ direction: 'out', endpoint: 3, data: '10 00' });
  assert.is((await adc.reply('out')).status, 0);
  const [, , short, ...more] = twins.reports();
  assert.equal([short && hexOf(short), more], [STATUS, []]);
});

test('UNLINK of a waiting transfer: -ECONNRESET, and no answer to the transfer itself', async ({ adc }) => {
  await adc.configure();
  const waiting = adc.submit({ direction: 'in', endpoint: 3, length: 64 });
  const unlink = adc.unlink(waiting);
  const head = '00 00 00 04 00 00 00';
  const rest = ' 00'.repeat(24);
  const reply = await adc.client.read(48);
  assert.is(reply, `${head} 0${unlink} 00 00 00 00 00 00 00 00 00 00 00 00 FF FF FF 98${rest}`);
  adc.submit({ direction: 'out', endpoint: 3, data: STATUS });
  await adc.reply('out');
  const next = adc.submit({ direction: 'in', endpoint: 3, length: 64 });
  const answered = await adc.reply('in');
  assert.is(answered.sequence, next);
  assert.match(answered.data, STATUS_ANSWER);
});

test('UNLINK of a transfer that has ended: 0', async ({ adc }) => {
  const setup = '80 00 00 00 00 00 02 00';
  const done = adc.submit({ direction: 'in', endpoint: 0, length: 2, setup });
  await adc.reply('in');
  const unlink = adc.unlink(done);
  assert.is(await adc.client.read(48), `00 00 00 04 00 00 00 0${unlink}${' 00'.repeat(40)}`);
});

test('a halted endpoint answers with STALL until the halt is cleared', async ({ adc }) => {
  await adc.configure();
  adc.submit({ direction: 'in', endpoint: 3, length: 64 });
  adc.submit({ direction: 'out', endpoint: 0, setup: '02 03 00 00 83 00 00 00' });
  assert.is((await adc.reply('in')).status, -32);
  assert.is((await adc.reply('out')).status, 0);
  assert.is(await adc.control('82 00 00 00 83 00 02 00'), '01 00');
  adc.submit({ direction: 'in', endpoint: 3, length: 64 });
  assert.is((await adc.reply('in')).status, -32);
  assert.is(await adc.control('02 01 00 00 83 00 00 00'), '');
  assert.is(await adc.control('82 00 00 00 83 00 02 00'), '00 00');
  adc.submit({ direction: 'out', endpoint: 3, data: STATUS });
  await adc.reply('out');
  adc.submit({ direction: 'in', endpoint: 3, length: 64 });
  assert.match((await adc.reply('in')).data, STATUS_ANSWER);
});

test('DEV-039 the serial port takes bytes, keeps its line coding and touches no twin', async ({
  adc,
  twins,
}) => {
  await adc.configure();
  adc.submit({ direction: 'in', endpoint: 1, length: 8 });
  adc.submit({ direction: 'in', endpoint: 2, length: 64 });
  assert.is(await adc.control('21 20 00 00 00 00 07 00', '80 25 00 00 00 00 08'), '');
  assert.is(await adc.control('A1 21 00 00 00 00 07 00'), '80 25 00 00 00 00 08');
  assert.is(await adc.control('21 20 00 00 00 00 06 00', '80 25 00 00 00 00'), 'STALL');
  adc.submit({ direction: 'out', endpoint: 2, data: '10 68 69' });
  const reply = await adc.reply('out');
  assert.is(reply.status, 0);
  assert.is(adc.client.unread, 0);
  assert.equal(twins.reports(), []);
});

test('the 90 bytes of the Tic variables come in one control transfer, with 24 V at 33', async ({ motor }) => {
  const block = (await motor.control('C0 A1 00 00 00 00 5A 00')).split(' ');
  assert.is(block.length, 90);
  assert.equal(block.slice(0x33, 0x35), ['C0', '5D']);
  assert.is(await motor.control('C0 A1 00 00 33 00 02 00'), 'C0 5D');
});

test('DEV-020 the setup packet reaches the Tic as it is: target -500', async ({ motor, twins }) => {
  assert.is(await motor.control('40 E0 0C FE FF FF 00 00'), '');
  const [event] = twins.ticEvents.slice(-1);
  assert.ok(event?.kind === 'in');
  assert.is(hexOf(event.bytes), '40 E0 0C FE FF FF 00 00');
  assert.is(await motor.control('C0 A1 00 00 0A 00 04 00'), '0C FE FF FF');
});

test('what the Tic does not know is a STALL, and the next request works', async ({ motor, twins }) => {
  assert.is(await motor.control('C0 77 00 00 00 00 04 00'), 'STALL');
  const before = twins.ticEvents.length;
  assert.is(await motor.control('40 E0 01 00 00 00 02 00', 'AA BB'), 'STALL');
  assert.is(await motor.control('A1 01 00 01 00 00 04 00'), 'STALL');
  assert.is(twins.ticEvents.length, before, "neither a data stage nor a class request is the twin's");
  assert.is(await motor.control('C0 A1 00 00 33 00 02 00'), 'C0 5D');
});

test('a late answer of the Tic is late here too, and the requests behind it wait', async ({
  motor,
  twins,
}) => {
  twins.tic.faultOnce({ late_ms: 60 });
  const startedAt = systemClock.monotonic();
  const setup = 'C0 A1 00 00 33 00 02 00';
  const late = motor.submit({ direction: 'in', endpoint: 0, length: 2, setup });
  const next = motor.submit({ direction: 'in', endpoint: 0, length: 1, setup: '80 08 00 00 00 00 01 00' });
  assert.equal(await motor.reply('in'), { sequence: late, status: 0, data: 'C0 5D' });
  assert.ok(systemClock.monotonic() - startedAt >= 55);
  assert.equal(await motor.reply('in'), { sequence: next, status: 0, data: '00' });
});

test('DEV-043 a Tic that never answers: the host gives the transfer up, and the next one works', async (context) => {
  const { motor, twins } = context;
  twins.tic.faultOnce({ silent: true });
  const setup = 'C0 A1 00 00 33 00 02 00';
  const lost = motor.submit({ direction: 'in', endpoint: 0, length: 2, setup });
  const next = motor.submit({ direction: 'in', endpoint: 0, length: 2, setup });
  await systemClock.sleep(30);
  assert.is(motor.client.unread, 0);
  motor.unlink(lost);
  assert.equal(await motor.reply('in'), { sequence: next, status: 0, data: 'C0 5D' });
  assert.match(await motor.client.read(48), /^00 00 00 04 .* FF FF FF 98( 00){24}$/);
});

test('a data stage that contradicts the setup packet is a STALL', async ({ motor }) => {
  motor.submit({ direction: 'out', endpoint: 0, setup: 'C0 A1 00 00 00 00 5A 00' });
  assert.is((await motor.reply('out')).status, -32);
  motor.submit({ direction: 'in', endpoint: 0, length: 4, setup: 'C0 A1 00 00 00 00 5A 00' });
  assert.is((await motor.reply('in')).data.split(' ').length, 4, 'no more than the host has room for');
  motor.submit({ direction: 'in', endpoint: 0, length: 64, setup: '80 06 00 01 00 00 08 00' });
  assert.is((await motor.reply('in')).data, '12 01 00 02 FF 00 00 08', 'no more than was asked for');
});

test.run();
