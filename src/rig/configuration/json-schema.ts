import * as z from 'zod';
import type { DeviceKind } from '../device-kinds/device-kind.ts';
import { DEVICE_KINDS } from '../device-kinds/index.ts';
import type { ConnectionSchemas } from './connection-schemas.ts';
import { fileSchema } from './file-schema.ts';

type Json = Record<string, unknown>;

/** JSON Schema 2020-12 of `svc.yaml`, from the same schemas that check the file when a service starts. */
export function configJsonSchema(): Json {
  const root = jsonOf(fileSchema);
  const { $schema, ...rest } = root;
  const plugins = childOf(childOf(root, 'properties'), 'plugins');
  const properties = childOf(plugins, 'properties');
  const named = childOf(plugins, 'additionalProperties');
  const kinds = DEVICE_KINDS.filter(({ role }) => role === 'sensor');
  for (const kind of DEVICE_KINDS)
    for (const id of kind.names) properties[id] = pluginSchema(id, kind, childOf(properties, id));
  plugins.propertyNames = { pattern: '^[a-z][a-z0-9-]*$' };
  plugins.additionalProperties =
    kinds.length === 0
      ? false
      : { required: ['kind'], oneOf: kinds.map((kind) => pluginSchema('', kind, named)) };
  return {
    $schema,
    title: 'svc.yaml',
    description: 'Configuration of the test rig. docs/svc-yaml.md explains it.',
    ...rest,
  };
}

/** Text of `docs/svc-yaml.schema.json`: lists of plain values on one line, as the formatter of the house has them. */
export function configJsonSchemaText(): string {
  const text = JSON.stringify(configJsonSchema(), null, 2);
  return `${text.replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, items: string) => `[${items.replace(/,\s+/g, ', ')}]`)}\n`;
}

/** Which connection parameters count depends on the kind and the connection type. */
function pluginSchema(id: string, kind: DeviceKind, schema: Json): Json {
  const types = Object.entries(kind.connections(id)) as [
    string,
    ConnectionSchemas[keyof ConnectionSchemas],
  ][];
  const { range, ...others } = childOf(schema, 'properties');
  const properties = kind.role === 'sensor' ? { ...others, range } : others;
  return {
    ...schema,
    properties: {
      ...properties,
      kind: { ...childOf(properties, 'kind'), const: kind.kind },
      connection_type: { ...childOf(properties, 'connection_type'), enum: types.map(([type]) => type) },
    },
    allOf: types.flatMap(([type, schemas]) => {
      if (!schemas) return [];
      if (!('onLine' in schemas)) return [ifType(type, {}, schemas)];
      return [ifType(type, { not: ON_LINE }, schemas.ownPort), ifType(type, ON_LINE, schemas.onLine)];
    }),
  };
}

/** A device that refers to a line has other parameters than one with a port of its own. */
const ON_LINE = { required: ['line'] };

function ifType(type: string, params: Json, parameters: z.ZodType): Json {
  const { $schema: _, ...wanted } = jsonOf(parameters);
  return {
    if: {
      properties: { connection_type: { const: type }, connection_params: params },
      required: ['connection_type'],
    },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { connection_params: wanted } },
  };
}

const jsonOf = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', unrepresentable: 'any' });

function childOf(schema: Json, key: string): Json {
  const child = schema[key];
  if (typeof child !== 'object' || child === null) throw new TypeError(`the schema has no ${key}`);
  return child as Json;
}
