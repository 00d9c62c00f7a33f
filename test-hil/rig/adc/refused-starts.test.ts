import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { launch } from '../bench/program.ts';
import type { AdcServiceName } from './adc-rig.ts';

const test = suite('the built ADC services do not start');

type Case = [env: Record<string, string>, sentence: string];

/** Each ends with 2, says one line on stderr and nothing on stdout: no port was ever open. */
async function refuses(name: AdcServiceName, cases: readonly Case[], args: string[] = []): Promise<void> {
  const ended = await Promise.all(
    cases.map(
      ([env]) => launch(name, ['--port', '0', ...args], { SVC_CONFIG_PATH: '/dev/null', ...env }).ended,
    ),
  );
  ended.forEach(({ code, stdout, stderr }, index) => {
    assert.equal([code, stdout], [2, ''], stderr);
    assert.is(stderr, `${name}: ${cases[index]?.[1]}\n`);
  });
}

const FORM = 'write an object of ai01..ai03 and bank channels 0..2, for example {"ai02":0}';

const BAD_MAPS: readonly [map: string, why: string][] = [
  ['{"ai01":3}', 'ai01 is 3, not 0, 1 or 2'],
  ['{"ai01":-1}', 'ai01 is -1, not 0, 1 or 2'],
  ['{"ai01":0.5}', 'ai01 is 0.5, not 0, 1 or 2'],
  ['{"ai01":"0"}', 'ai01 is "0", not 0, 1 or 2'],
  ['{"ai01":null}', 'ai01 is null, not 0, 1 or 2'],
  ['{"ai04":0}', '"ai04" is not ai01, ai02 or ai03'],
  ['{"AI01":0}', '"AI01" is not ai01, ai02 or ai03'],
  ['{"ai01":0,"ai02":0}', 'ai01 and ai02 are both bank channel 0'],
  ['{"ai01":0,"ai01":1}', 'ai01 is there twice'],
  ['[]', 'is not an object'],
  ['null', 'is not an object'],
  ['7', 'is not an object'],
];

test('SVC-022 with a bad bank map, naming the fault', () =>
  refuses(
    'svc-adc-stack',
    BAD_MAPS.map(([map, why]) => [
      { BANK_ADC_CHANNEL_MAP: map, BANK_ADC_URL: 'http://127.0.0.1:9' },
      `BANK_ADC_CHANNEL_MAP = ${JSON.stringify(map)}: ${why}; ${FORM}`,
    ]),
  ));

test('SVC-022 with a map without an address, or a bad address or legacy channel', () =>
  refuses('svc-adc-stack', [
    [
      { BANK_ADC_CHANNEL_MAP: '{"ai01":0}' },
      'BANK_ADC_CHANNEL_MAP = "{\\"ai01\\":0}": BANK_ADC_URL is not set; set it to the bank\'s address, or write {} here',
    ],
    [
      { BANK_ADC_URL: 'bank' },
      'BANK_ADC_URL = "bank": must be http://<host>[:<port>] or https://<host>[:<port>]',
    ],
    [
      { BANK_ADC_LEGACY_URL: 'ftp://x' },
      'BANK_ADC_LEGACY_URL = "ftp://x": must be http://<host>[:<port>] or https://<host>[:<port>]',
    ],
    [
      { BANK_ADC_LEGACY_URL: 'http://x', BANK_ADC_LEGACY_CHANNEL: 'ai01' },
      'BANK_ADC_LEGACY_CHANNEL = "ai01": must be ai02 or ai03',
    ],
  ]));

test('SVC-002 on a wide address without a token', async () => {
  const remedy = 'bind 127.0.0.1, set SVC_API_TOKEN, or accept the risk with SVC_ALLOW_INSECURE=1';
  for (const [name, prefix] of [
    ['svc-adc-usb', 'SVC_ADC_USB'],
    ['svc-adc-uart', 'SVC_ADC_UART'],
    ['svc-adc-stack', 'SVC_ADC_STACK'],
  ] as const) {
    const sentence = (host: string) =>
      `host ${host} is reachable from outside and SVC_API_TOKEN is not set; ${remedy}`;
    await refuses(name, [[{}, sentence('0.0.0.0')]], ['--host', '0.0.0.0']);
    await refuses(name, [[{ [`${prefix}_HOST`]: '::' }, sentence('::')]]);
    await refuses(name, [[{ SVC_ALLOW_INSECURE: 'yes' }, sentence('0.0.0.0')]], ['--host', '0.0.0.0']);
    const short = 'SVC_API_TOKEN has 15 characters; use 16 or more';
    await refuses(name, [[{ SVC_API_TOKEN: 'fifteen-letters' }, short]], ['--host', '0.0.0.0']);
  }
});

test.run();
