import * as assert from 'uvu/assert';
import { validDescription } from '../../../src/test-kit/http/openapi.ts';
import type { Call } from './adc-bench.ts';

/** `max_age_ms` is a whole number 0..1000, given once and for a single sample; list and channel have it. */
export async function judgesAges(call: Call): Promise<void> {
  for (const path of ['/api/v1/adc', '/api/v1/adc/1']) {
    for (const query of [
      'max_age_ms=0',
      'max_age_ms=1000',
      'max_age_ms=5&samples=1',
      'max_age_ms=0&samples=2',
    ])
      assert.is((await call(`${path}?${query}`)).status, 200, query);
    for (const [query, part] of [
      ['max_age_ms=1001', 'max_age_ms: must be a whole number from 0 to 1000'],
      ['max_age_ms=-1', 'max_age_ms: '],
      ['max_age_ms=0.5', 'max_age_ms: '],
      ['max_age_ms=', 'max_age_ms: must be a whole number from 0 to 1000'],
      ['max_age_ms=soon', 'max_age_ms: must be a whole number from 0 to 1000'],
      ['max_age_ms=5&max_age_ms=5', 'query key given more than once: max_age_ms'],
      ['max_age_ms=5&samples=2', 'max_age_ms: is for a single sample; leave it out, or leave samples out'],
    ] as const) {
      const { status, body } = await call(`${path}?${query}`);
      const { code, error, errors } = body as { code: string; error: string; errors: { field: string }[] };
      assert.equal([status, code, errors[0]?.field], [422, 'invalid_parameter', 'max_age_ms'], query);
      assert.ok(error.startsWith(part), error);
    }
  }
}

/** The description is valid and has the parameter of both routes. */
export async function describesAges(url: string): Promise<void> {
  interface Operation {
    get: { parameters: { name: string; in: string; required?: boolean }[] };
  }
  const paths = (await validDescription(url)).paths as Record<string, Operation>;
  for (const path of ['/api/v1/adc', '/api/v1/adc/{n}']) {
    const found = paths[path]?.get.parameters.find(({ name }) => name === 'max_age_ms');
    assert.is(found?.in, 'query', path);
    assert.not(found?.required, path);
  }
}
