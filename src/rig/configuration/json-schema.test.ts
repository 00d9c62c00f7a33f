import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { configJsonSchema, configJsonSchemaText } from './json-schema.ts';

const test = suite('JSON Schema of svc.yaml');
type Json = { [key: string]: Json };

/** Every key of the file with its place, for example `limits.pump.max_power_pct`; names that a person chooses are `*`. */
function keysOf(schema: Json, place = ''): [path: string, schema: Json][] {
  const at = (key: string) => (place === '' ? key : `${place}.${key}`);
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, child]): [string, Json][] => [
      [at(key), child],
      ...keysOf(child, at(key)),
    ]),
    ...(typeof schema.additionalProperties === 'object' ? keysOf(schema.additionalProperties, at('*')) : []),
    ...(schema.items ? keysOf(schema.items, at('*')) : []),
    ...[...Object.values(schema.oneOf ?? {}), ...Object.values(schema.anyOf ?? {})].flatMap((one) =>
      keysOf(one, place),
    ),
  ];
}

test('docs/svc-yaml.schema.json is what the schema of the file says (npm run docs)', () => {
  assert.is(readFileSync('docs/svc-yaml.schema.json', 'utf8'), configJsonSchemaText());
});

test('it is of draft 2020-12, and every key in it is explained', () => {
  const schema = configJsonSchema() as Json;
  assert.is(String(schema.$schema), 'https://json-schema.org/draft/2020-12/schema');
  const keys = keysOf(schema);
  assert.ok(keys.length > 60, `${keys.length} keys`);
  assert.equal(
    keys.filter(([, { description }]) => !description).map(([path]) => path),
    [],
  );
});

test('which parameters count depends on the connection type, as in the services', () => {
  const schema = configJsonSchema() as Json;
  const pump = schema.properties?.plugins?.properties?.['pump-motor'];
  const rtu = Object.values(pump?.allOf ?? {}).find(
    (one) => String(one.if?.properties?.connection_type?.const) === 'modbus-rtu',
  );
  const params = rtu?.then?.properties?.connection_params;
  assert.equal(params?.required as unknown, ['serial_port']);
  assert.is(params?.properties?.device_id?.default as unknown, 50);
  assert.is(params?.additionalProperties as unknown, false);
});

test('docs/svc-yaml.md explains every key', () => {
  const page = readFileSync('docs/svc-yaml.md', 'utf8');
  const missing = keysOf(configJsonSchema() as Json)
    .map(([path]) => path.replace(/^plugins\.[a-z0-9-]+/, 'plugins.*'))
    .filter((path) => !page.includes(`\`${path.split('.').at(-1)}\``));
  assert.equal([...new Set(missing)], []);
});

test.run();
