import { existsSync, readFileSync, rmSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { answersFile } from '../lib/http/answer-tap.ts';

interface Description {
  info: { title: string };
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
  components: { schemas: Record<string, object> };
}

interface Answer {
  document: string;
  operation: string | null;
  status: number;
  type: string;
  body?: unknown;
}

/** Name of the services that the tests of the kit start. */
const KIT_TESTS = 'svc-test';
const PROBLEM_TYPE = 'application/problem+json';
/** A test whose service answers wrongly does so many times. */
const MOST = 5;

/**
 * What the services below a test answered beyond their descriptions: a status or a media type that is not there, a member that
 * is missing, of another type or not described. SVC-062. The file of the answers is removed.
 */
export function answerFaults(mark: string): string[] {
  const path = answersFile(mark);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  rmSync(path);
  const documents = new Map<string, DescribedAnswers>();
  const faults = new Map<string, string>();
  for (const line of lines) {
    const entry = parsed(line);
    if (entry === undefined) continue;
    if ('description' in entry) {
      const described = new DescribedAnswers(entry.description);
      documents.set(entry.document, described);
      for (const fault of described.untyped()) faults.set(fault, fault);
    } else {
      const fault = documents.get(entry.document)?.faultOf(entry);
      if (fault === undefined) continue;
      const what = `${entry.operation ?? 'no route'} answered ${entry.status}: ${fault}`;
      const body = JSON.stringify(entry.body ?? null).slice(0, 300);
      if (!faults.has(what)) faults.set(what, `${what} in ${body}`);
    }
  }
  return [...faults.values()].slice(0, MOST);
}

/** Undefined for a line that a full disk has cut. */
function parsed(line: string): Answer | { document: string; description: string } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The answers that one description allows. */
class DescribedAnswers {
  readonly #description: Description;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  readonly #validators = new Map<object, ValidateFunction>();

  constructor(text: string) {
    this.#description = JSON.parse(text) as Description;
  }

  /** Good answers that are described as any object at all; those of tests of the kit may be. */
  untyped(): string[] {
    const { info, paths } = this.#description;
    if (info.title === KIT_TESTS) return [];
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses).flatMap(([status, { content = {} }]) =>
          Object.values(content).some(({ schema }) => JSON.stringify(schema) === '{"type":"object"}')
            ? [`${info.title}: the answer ${status} of ${method.toUpperCase()} ${path} has no type`]
            : [],
        ),
      ),
    );
  }

  faultOf({ operation, status, type, body }: Answer): string | undefined {
    const schema = operation === null ? this.#problem(type) : this.#schema(operation, status, type);
    if (typeof schema === 'string') return schema;
    if (schema === undefined || body === undefined) return undefined;
    const validate = this.#validator(schema);
    if (validate(body)) return undefined;
    const [error] = validate.errors ?? [];
    const { instancePath = '', message = '', params = {} } = error ?? {};
    return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
  }

  #problem(type: string): object | string | undefined {
    return type === PROBLEM_TYPE ? this.#description.components.schemas.Problem : undefined;
  }

  #schema(operation: string, status: number, type: string): object | string | undefined {
    const [method = '', path = ''] = operation.split(' ');
    const described = this.#description.paths[path]?.[method.toLowerCase()]?.responses[status];
    if (described === undefined) return 'this status is not described';
    if (described.content === undefined) return type === '' ? undefined : 'a body is not described';
    const content = described.content[type];
    return content === undefined ? `the type ${type} is not described` : content.schema;
  }

  #validator(schema: object): ValidateFunction {
    const known = this.#validators.get(schema);
    if (known) return known;
    const made = this.#ajv.compile({ ...schema, components: this.#description.components });
    this.#validators.set(schema, made);
    return made;
  }
}
