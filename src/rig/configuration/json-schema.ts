import * as z from 'zod';
import { connectionSchemas, onLineSchema } from './connection.ts';
import { fileSchema } from './file-schema.ts';
import { PLUGIN_IDS, type PluginId } from './types.ts';

type Json = Record<string, unknown>;

/** JSON Schema 2020-12 of `svc.yaml`, from the same schemas that check the file when a service starts. */
export function configJsonSchema(): Json {
  const root = jsonOf(fileSchema);
  const { $schema, ...rest } = root;
  const plugins = childOf(childOf(root, 'properties'), 'plugins');
  const properties = childOf(plugins, 'properties');
  for (const id of PLUGIN_IDS) properties[id] = pluginSchema(id, childOf(properties, id));
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

/** Which connection parameters count depends on the connection type. */
function pluginSchema(id: PluginId, schema: Json): Json {
  const types = Object.entries(connectionSchemas(id));
  const properties = childOf(schema, 'properties');
  return {
    ...schema,
    properties: {
      ...properties,
      connection_type: { ...childOf(properties, 'connection_type'), enum: types.map(([type]) => type) },
    },
    allOf: [
      ...types.map(([type, parameters]) =>
        ifType(type, type === 'modbus-rtu' ? { not: ON_LINE } : {}, parameters),
      ),
      ifType('modbus-rtu', ON_LINE, onLineSchema(id)),
    ],
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
