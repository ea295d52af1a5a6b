import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from '../../../gateway/openapi/document.js';

interface Described {
  responses: Record<
    string,
    { content?: Record<string, { schema: object }>; headers?: Record<string, { $ref: string }> }
  >;
}

/** What a document says answers look like, as functions that find the faults of an answer. */
export class AnswerSchemas {
  readonly #ajv = new Ajv2020.default({ allErrors: true, strict: false });
  readonly #document: OpenApi;
  /** By the text of the schema: most failures of most operations have the same. */
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: OpenApi) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, 'document');
  }

  /** The statuses an operation may answer with. */
  statuses(method: string, path: string): number[] {
    return Object.keys(this.#described(method, path).responses).map(Number);
  }

  /** How the body of an answer differs from what is described; nothing where it does not. */
  faults(method: string, path: string, status: number, body: unknown): string[] {
    const described = this.#described(method, path).responses[status];
    if (!described) return [`status ${status} is not described`];
    if (!described.content) return body === undefined ? [] : ['no body is described'];
    const [[type, { schema }]] = Object.entries(described.content);
    const text = JSON.stringify(schema);
    const place = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      type,
      'schema',
    ];
    const validate = this.#validators.get(text) ?? this.#validatorAt(place);
    this.#validators.set(text, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** How the headers of an answer differ from those described; others than the document knows at all are not looked at. */
  headerFaults(method: string, path: string, status: number, headers: Headers): string[] {
    const described = this.#described(method, path).responses[status]?.headers ?? {};
    const known = Object.entries(this.#document.components.headers as Record<string, { schema: object }>);
    return known.flatMap(([name, { schema }]) => {
      const text = headers.get(name);
      if (text === null) return [];
      if (!(name in described)) return [`header ${name} is not described`];
      const value: unknown = (schema as { type: string }).type === 'integer' ? Number(text) : text;
      return this.#ajv.validate(schema, value) ? [] : [`header ${name}: ${text}`];
    });
  }

  #validatorAt(place: string[]): ValidateFunction {
    const pointer = place.map((part) =>
      part.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D'),
    );
    return this.#ajv.getSchema(`document#/${pointer.join('/')}`)!;
  }

  #described(method: string, path: string): Described {
    return this.#document.paths[path][method.toLowerCase()] as Described;
  }
}
