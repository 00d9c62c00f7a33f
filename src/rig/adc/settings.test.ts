import * as assert from 'uvu/assert';
import { StartRefusedError } from '../../lib/http/exposure.ts';
import { suite } from '../../test-kit/suite.ts';
import { bankSettings, type Environment, uartAdcSettings, usbAdcSettings } from './settings.ts';

const test = suite('settings of the ADC services');

/** The sentence of the refusal; it is one line. */
function refusal(read: (env: Environment) => unknown, env: Environment): string {
  try {
    read(env);
  } catch (error) {
    assert.instance(error, StartRefusedError);
    assert.not.match((error as Error).message, '\n');
    return (error as Error).message;
  }
  throw new Error(`${JSON.stringify(env)} was taken`);
}

test('the defaults are as documented, and an empty variable is one that is not set', () => {
  for (const env of [{}, { USBADC_ADDRESS: '', USBADC_REFERENCE_VOLTAGE: '', UARTADC_SERIAL_PORT: '' }]) {
    assert.equal(usbAdcSettings(env), {
      address: 'hid:04d8:00dd',
      reference: { source: 'vdd', volts: 3.3 },
      backend: 'auto',
      serial: undefined,
      stateDir: '/var/lib/svc',
    });
    assert.equal(uartAdcSettings(env), { address: '/dev/serial0', endpoint: '/dev/serial0' });
    assert.is(bankSettings(env), undefined);
  }
});

test('DEV-052 USBADC_SERIAL is a serial number of printable characters', () => {
  assert.is(usbAdcSettings({ USBADC_SERIAL: ' 01234567 ' }).serial, '01234567');
  for (const bad of ['0123\u00e9', 'x'.repeat(61)])
    assert.match(refusal(usbAdcSettings, { USBADC_SERIAL: bad }), /USBADC_SERIAL = .* 1 to 60 printable/);
});

test('DEV-010 the reference is 1.0 to 5.5 V, and that of a Vrm source is its name', () => {
  const of = (voltage: string, source = 'vdd') =>
    usbAdcSettings({ USBADC_REFERENCE_VOLTAGE: voltage, USBADC_REFERENCE_SOURCE: source }).reference.volts;
  assert.is(of('1.0'), 1);
  assert.is(of('5.5'), 5.5);
  assert.is(of('3.3', '2.048'), 2.048);
  for (const bad of ['0.999', '5.501', '-3', 'NaN', '3,3', '0x3', '1e0', '3.3V']) {
    const sentence = refusal(usbAdcSettings, { USBADC_REFERENCE_VOLTAGE: bad });
    assert.match(sentence, 'USBADC_REFERENCE_VOLTAGE');
    assert.ok(sentence.includes(bad), sentence);
    assert.match(sentence, '5.5');
  }
});

test('a bad variable of the chip or the module is refused with its name, its value and what to write', () => {
  for (const [read, name, value, remedy] of [
    [usbAdcSettings, 'USBADC_REFERENCE_SOURCE', '3.3', 'vdd, 1.024, 2.048, 4.096'],
    [usbAdcSettings, 'USBADC_BACKEND', 'usb', 'auto, hidraw, libusb, iio'],
    [usbAdcSettings, 'USBADC_ADDRESS', '/dev/ttyACM0', 'hid:04d8:00dd'],
    [usbAdcSettings, 'USBADC_ADDRESS', 'hid:1ffb:00c9', 'hid:04d8:00dd'],
    [usbAdcSettings, 'USBADC_ADDRESS', 'nonsense', 'bench:<socket path>'],
    [uartAdcSettings, 'UARTADC_SERIAL_PORT', 'usb:1ffb:00c9', 'serial:<path>'],
    [uartAdcSettings, 'UARTADC_SERIAL_PORT', 'serial0', 'a plain path'],
    [uartAdcSettings, 'UARTADC_SERIAL_PORT', 'serial:/dev/serial0?baud=19200', '9600'],
  ] as const) {
    const sentence = refusal(read, { [name]: value });
    for (const part of [name, value, remedy]) assert.ok(sentence.includes(part), `${sentence} | ${part}`);
  }
});

test('DEV-018 a UART baud other than 9600 refuses the start', () => {
  for (const bad of ['19200', '115200', '96000', 'fast', '-9600'])
    assert.match(refusal(uartAdcSettings, { UARTADC_BAUDRATE: bad }), /UARTADC_BAUDRATE.*9600 only/);
  assert.is(uartAdcSettings({ UARTADC_BAUDRATE: '9600' }).endpoint, '/dev/serial0');
});

const URL_ENV = { BANK_ADC_URL: 'http://10.0.0.9:8300' };

test('SVC-022 each fault of a bank map refuses the start and is named', () => {
  for (const [map, fault] of [
    ['{', 'is not JSON'],
    ['ai01=0', 'is not JSON'],
    ['[]', 'is not an object'],
    ['null', 'is not an object'],
    ['"ai01"', 'is not an object'],
    ['7', 'is not an object'],
    ['{"ai04":0}', '"ai04" is not ai01, ai02 or ai03'],
    ['{"AI01":0}', '"AI01" is not ai01, ai02 or ai03'],
    ['{"__proto__":0}', '"__proto__" is not'],
    ['{"ai01":3}', 'ai01 is 3, not 0, 1 or 2'],
    ['{"ai01":-1}', 'ai01 is -1'],
    ['{"ai01":1.5}', 'ai01 is 1.5'],
    ['{"ai01":"0"}', 'ai01 is "0"'],
    ['{"ai01":null}', 'ai01 is null'],
    ['{"ai01":true}', 'ai01 is true'],
    ['{"ai01":0,"ai02":0}', 'ai01 and ai02 are both bank channel 0'],
    ['{"ai01":0,"ai01":1}', 'ai01 is there twice'],
  ] as const) {
    const sentence = refusal(bankSettings, { ...URL_ENV, BANK_ADC_CHANNEL_MAP: map });
    for (const part of ['BANK_ADC_CHANNEL_MAP', JSON.stringify(map), fault, '{"ai02":0}'])
      assert.ok(sentence.includes(part), `${sentence} | ${part}`);
  }
});

test('SVC-022 a map without an address, and a bad address, refuse the start', () => {
  const noUrl = refusal(bankSettings, { BANK_ADC_CHANNEL_MAP: '{"ai02":0}' });
  assert.match(noUrl, /BANK_ADC_CHANNEL_MAP.*BANK_ADC_URL is not set/);
  for (const url of ['10.0.0.9', 'ftp://10.0.0.9', 'http//x', ':'])
    assert.match(refusal(bankSettings, { BANK_ADC_URL: url }), /BANK_ADC_URL = .*http:\/\/<host>/);
  assert.match(refusal(bankSettings, { BANK_ADC_LEGACY_URL: 'x' }), 'BANK_ADC_LEGACY_URL = "x"');
  assert.match(refusal(bankSettings, { BANK_ADC_LEGACY_CHANNEL: 'ai01' }), 'must be ai02 or ai03');
});

test('SVC-022 a good map serves its channels and ignores the legacy address; {} maps nothing', () => {
  const mapped = bankSettings({
    ...URL_ENV,
    BANK_ADC_CHANNEL_MAP: '{"ai03":0,"ai01":2}',
    BANK_ADC_LEGACY_URL: 'http://old',
    BANK_ADC_ID: 'bank-7',
  });
  assert.is(mapped?.url, URL_ENV.BANK_ADC_URL);
  assert.is(mapped?.bankId, 'bank-7');
  assert.equal(Object.fromEntries(mapped?.channels ?? []), { ai03: 0, ai01: 2 });
  assert.is(bankSettings({ ...URL_ENV, BANK_ADC_CHANNEL_MAP: '{}' }), undefined);
  assert.is(bankSettings(URL_ENV), undefined);
});

test('with an empty map the legacy address serves its channel from bank channel 0', () => {
  for (const [channel, expected] of [
    ['', 'ai02'],
    ['ai02', 'ai02'],
    ['ai03', 'ai03'],
  ] as const) {
    const settings = bankSettings({
      BANK_ADC_CHANNEL_MAP: '{}',
      BANK_ADC_LEGACY_URL: 'http://old:1',
      BANK_ADC_LEGACY_CHANNEL: channel,
    });
    assert.is(settings?.url, 'http://old:1');
    assert.equal(Object.fromEntries(settings?.channels ?? []), { [expected]: 0 });
  }
});

test.run();
