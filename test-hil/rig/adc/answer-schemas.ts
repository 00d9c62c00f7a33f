import * as assert from 'uvu/assert';
import * as z from 'zod';

interface Description {
  paths: Record<string, { get?: { responses: Record<string, { content?: Content }> } }>;
}
type Content = Record<string, { schema?: z.core.JSONSchema.JSONSchema }>;

/** What the running service says in `/openapi.json` of its own good answers. */
export class AnswerSchemas {
  readonly #url: string;
  #known: Promise<Map<RegExp, z.ZodType>> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Whether a good answer has exactly the members that are promised. */
  async check(path: string, body: unknown): Promise<void> {
    this.#known ??= this.#read();
    const [plain = ''] = path.split('?');
    for (const [pattern, schema] of await this.#known) {
      if (!pattern.test(plain)) continue;
      const { error } = schema.safeParse(body);
      assert.is(error, undefined, `${path} is as described: ${error && z.prettifyError(error)}`);
    }
  }

  async #read(): Promise<Map<RegExp, z.ZodType>> {
    const { paths } = (await (await fetch(`${this.#url}/openapi.json`)).json()) as Description;
    const known = new Map<RegExp, z.ZodType>();
    for (const [path, { get }] of Object.entries(paths)) {
      const [good] = Object.values(get?.responses ?? {});
      const schema = good?.content?.['application/json']?.schema;
      if (schema === undefined || Object.keys(schema).length === 0) continue;
      known.set(new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), z.fromJSONSchema(schema));
    }
    assert.ok(known.size > 0, 'the readings are described');
    return known;
  }
}
