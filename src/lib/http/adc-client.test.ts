import * as assert from 'uvu/assert';
import { startAdcStack } from '../../lab/http-benchmark/adc-stack.ts';
import { runGeneratedClient } from '../../test-kit/http/openapi.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('a client made from the description of the ADC stack');

test('SVC-007 it is typed and reads the volts of a channel', async () => {
  const source = (service: string) => ['--import', 'tsx', `src/services/${service}/main.ts`];
  const { url, programs } = await startAdcStack({ bench: source('bench'), stack: source('adc-stack') });
  try {
    const printed = await runGeneratedClient(
      url,
      `const item = await get('/api/v1/adc/{n}', { n: '1' });
       const volts: number = item.reading.volts;
       console.log(volts);`,
    );
    const volts = Number(printed);
    assert.ok(volts > 0.5 && volts < 0.8, `the plant at rest gives 0.635 V: ${printed}`);
  } finally {
    for (const program of programs.toReversed()) await program.stop();
  }
});

test.run();
