import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import type Joi from 'joi';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkRequest } from '../../../gateway/auth/oauth/authorize/check-request.js';
import { RequestParameters } from '../../../gateway/auth/oauth/authorize/request-parameters.js';
import { registrationRequest } from '../../../gateway/auth/oauth/register/registration.js';
import { revokeRequest } from '../../../gateway/auth/oauth/revoke-endpoint.js';
import { codeRequest } from '../../../gateway/auth/oauth/token/refresh-tokens.js';
import { jsonSchemaOf, type JsonSchema } from '../../../gateway/openapi/json-schema.js';
import { openApi, type OpenApi } from '../../../gateway/openapi/document.js';
import { documentPath } from '../../../gateway/openapi/document-path.js';
import { failureResponse, failuresOf } from '../../../gateway/openapi/failures.js';
import { routeTable } from '../../../gateway/routes/table.js';
import { AnswerSchemas } from '../../support/gateway/answer-schemas.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { projectRoot } from '../../support/harness/paths.js';
import { schemaPlaces } from '../../support/gateway/schema-places.js';
import { testSecret } from '../../support/gateway/signed.js';

const document = openApi({ PUBLIC_URL: '' });

interface Described {
  operationId: string;
  parameters?: { name: string; in: string; description?: string; schema: JsonSchema }[];
  responses: Record<
    string,
    {
      content?: Record<string, { schema: JsonSchema; example?: unknown }>;
      links?: Record<string, { operationId: string }>;
    }
  >;
  requestBody?: { content: { 'application/json': { schema: JsonSchema; example: object } } };
}

const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, each]) => ({ path, method, each: each as Described })),
);

/** What a dead letter asked, and the arguments of a tool, can be anything; what the parts of an OpenAPI document hold is told elsewhere. */
const open = /^DeadJob\.payload$|^Args\{\}$|^OpenApiDocument\.(components|info|paths|servers|tags)/;

/** The component that a schema refers to. */
const referred = ({ $ref }: JsonSchema): JsonSchema => {
  assert.match(String($ref), /^#\/components\/schemas\/\w+$/);
  return (document.components.schemas as Record<string, JsonSchema>)[String($ref).split('/')[3]];
};

/** Fails where a schema leaves open what may stand there, or a field has no words of its own. */
function assertTold(root: JsonSchema, name: string): void {
  for (const { place, schema, isField } of schemaPlaces(root, name)) {
    if (isField) assert.ok(schema.description, `${place} has no description`);
    if (open.test(place) || schema.$ref !== undefined) continue;
    assert.ok(schema.type ?? schema.anyOf, `${place} may be anything`);
    const types = [schema.type].flat();
    if (types.includes('array')) assert.ok(schema.items, `${place} has items of any kind`);
    if (!types.includes('object')) continue;
    const others = schema.additionalProperties;
    assert.ok(schema.properties ?? typeof others === 'object', `${place} has fields of any kind`);
    assert.ok(others === false || typeof others === 'object', `${place} has fields that are not told`);
  }
}

const linksIn = ({ paths }: OpenApi): [string, { operationId: string }][] =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods) as Described[])
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ links = {} }) => Object.entries(links));

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 by the letter', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
    assert.ok(valid, JSON.stringify(errors, null, 1));
  });

  it('has every route of the table, and no other under /backend, /operator and /v3', () => {
    const listed = routeTable.map(({ method, path }) => `${method} ${documentPath(path)}`);
    const found = described
      .map(({ path, method }) => `${method.toUpperCase()} ${path}`)
      .filter((name) => / \/(backend|operator|v[123])\//.test(name));
    assert.deepEqual(found.sort(), listed.sort());
  });

  it('names every operation once', () => {
    const ids = described.map(({ each }) => each.operationId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('carries the version of package.json', () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    assert.equal(document.info.version, version);
  });

  it('names the server by PUBLIC_URL alone', () => {
    assert.deepEqual(document.servers, [{ url: '/' }]);
    const { servers } = openApi({ PUBLIC_URL: 'https://api.example.com/' });
    assert.deepEqual(servers, [{ url: 'https://api.example.com' }]);
  });

  it('says which answers come as events, too', () => {
    for (const { method, path, operation, isStream } of routeTable) {
      const { each } = described.find(
        (one) => one.path === documentPath(path) && one.method === method.toLowerCase(),
      )!;
      const types = Object.keys(each.responses[200].content!);
      const first = path.endsWith('.csv') ? 'text/csv' : 'application/json';
      const events = ['text/event-stream'];
      const expected = isStream ? events : [first, ...(operation.isLong ? events : [])];
      assert.deepEqual(types, expected, path);
    }
  });

  it('refers to nothing that is not there', () => {
    const text = JSON.stringify(document);
    for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
      assert.ok(target !== undefined, pointer);
    }
  });

  it('leads from an answer only to fields that are there', () => {
    const leads = routeTable.flatMap((from) =>
      (from.operation.leadsTo ?? []).map((lead) => ({ from, lead })),
    );
    assert.ok(leads.length > 5);
    for (const { from, lead } of leads) {
      const next = routeTable.filter(
        ({ operation, surface }) => operation.id === lead.to && surface === from.surface,
      );
      assert.ok(next.length > 0, lead.to);
      const parts = {
        input: schemaPlaces(jsonSchemaOf(from.operation.input)),
        payload: schemaPlaces(jsonSchemaOf(from.operation.output)),
      };
      for (const [name, found] of Object.entries(lead.fields)) {
        const [part, ...steps] = found.split('/') as ['input' | 'payload', ...string[]];
        const place = steps.map((step) => (/^\d+$/.test(step) ? '[]' : `.${step}`)).join('');
        assert.ok(
          parts[part].some((each) => each.place === place),
          found,
        );
        for (const { operation } of next)
          assert.ok(
            schemaPlaces(jsonSchemaOf(operation.input)).some((each) => each.place === `.${name}`),
            `${name} of ${lead.to}`,
          );
      }
    }
  });

  it('links to operations that are there', () => {
    const ids = new Set(described.map(({ each }) => each.operationId));
    const links = linksIn(openApi({ PUBLIC_URL: '' }, { links: true }));
    assert.ok(links.length > 5);
    for (const [name, { operationId }] of links) {
      assert.ok(ids.has(operationId), operationId);
      assert.equal(name, operationId);
    }
  });

  it('has no links where it is served: generators of clients refuse them', () => {
    assert.deepEqual(linksIn(document), []);
  });

  it('has an example of every good answer in JSON, which is as the schema says', () => {
    const schemas = new AnswerSchemas(document);
    for (const { path, method, each } of described) {
      const [status] = Object.keys(each.responses).map(Number);
      const json = each.responses[status].content!['application/json'];
      if (!json) continue;
      assert.ok('example' in json, `run npm run samples: ${method} ${path} has no example`);
      assert.deepEqual(
        schemas.faults(method, path, status, json.example),
        [],
        `run npm run samples: ${method} ${path} answers otherwise now`,
      );
    }
  });

  it('describes the endpoints of OAuth by the schemas that check their requests, with examples that these take', () => {
    const bodies: [path: string, schema: Joi.ObjectSchema, types: number][] = [
      ['/register', registrationRequest, 1],
      ['/revoke', revokeRequest, 2],
      ['/token', codeRequest, 2],
    ];
    for (const [path, schema, types] of bodies) {
      const { content } = (document.paths[path].post as Described).requestBody!;
      assert.equal(Object.keys(content).length, types);
      const { schema: shown, example } = content['application/json'];
      const fields = Object.keys((schema.describe() as { keys: object }).keys);
      assert.deepEqual(Object.keys(referred(shown).properties!), fields);
      assert.equal(schema.validate(example, { convert: false }).error, undefined, path);
    }
    const { parameters = [] } = document.paths['/authorize'].get as Described;
    const valueOf = (schema: JsonSchema): unknown =>
      (schema.examples as string[] | undefined)?.[0] ??
      ((schema.enum ?? referred(schema).enum) as string[])[0];
    const example = Object.fromEntries(
      parameters
        .filter(({ schema: { examples, enum: values, $ref } }) => examples ?? values ?? $ref)
        .map(({ name, schema }) => [name, String(valueOf(schema))]),
    );
    const path = `/authorize?${new URLSearchParams(example).toString()}`;
    const { scopes, challengeMethod } = checkRequest(
      new RequestParameters(path.split('?')[1]),
      'https://a.example/mcp',
    );
    assert.deepEqual([scopes, challengeMethod], [['read:analysis'], 'S256']);
  });

  it('says of every error what it means', () => {
    for (const route of routeTable)
      for (const codes of failuresOf(route).values())
        for (const code of codes) {
          const { description } = failureResponse(route.surface, [code]);
          assert.doesNotMatch(description, /^(`\w+`: )?Error/, `${code} of ${route.path}`);
        }
  });

  for (const { path, method, each } of described) {
    it(`says of every field of ${method} ${path} what it is`, () => {
      for (const { name, description, schema } of each.parameters ?? []) {
        assert.ok(description, `parameter ${name}`);
        assertTold(schema, name);
      }
      if (each.requestBody) assertTold(each.requestBody.content['application/json'].schema, 'body');
      for (const [status, { content }] of Object.entries(each.responses))
        if (content) assertTold(Object.values(content)[0].schema, status);
    });
  }

  it('has every field of an answer always there, as the page says', () => {
    for (const { path, operation } of routeTable)
      for (const { place, schema } of schemaPlaces(jsonSchemaOf(operation.output), path))
        assert.deepEqual(
          [...(schema.required ?? [])].sort(),
          Object.keys(schema.properties ?? {}).sort(),
          place,
        );
  });

  it('says of every field of the shared schemas what it is', () => {
    const shared = Object.entries(document.components.schemas as Record<string, JsonSchema>);
    for (const [name, schema] of shared) assertTold(schema, name);
  });

  for (const { method, path, operation } of routeTable) {
    it(`describes what ${method} ${path} takes as its schema does`, () => {
      const { each } = described.find(
        (one) => one.path === documentPath(path) && one.method === method.toLowerCase(),
      )!;
      const fields = Object.keys((operation.input.describe() as { keys?: object }).keys ?? {}).sort();
      const body = each.requestBody?.content['application/json'].schema;
      const inBody = Object.keys(body ? referred(body).properties! : {});
      // Partners repeat a field of the path in the body.
      const names = [...new Set([...inBody, ...(each.parameters ?? []).map(({ name }) => name)])].sort();
      assert.deepEqual(names, fields);
    });

    it(`shows an example that ${method} ${path} takes`, () => {
      const { each } = described.find(
        (one) => one.path === documentPath(path) && one.method === method.toLowerCase(),
      )!;
      const example = each.requestBody?.content['application/json'].example;
      if (!example) return;
      const { error } = operation.input.validate(example, { convert: false });
      const inPath = error?.details[0].path[0];
      assert.ok(!error || path.includes(`:${String(inPath)}`), error?.message);
    });
  }
});

describe('refusals', () => {
  let service: TestService;
  let schemas: AnswerSchemas;
  let served: OpenApi;

  before(async () => {
    service = await openTestService({ env: { AI_API_SECRETS: testSecret }, computeNodes: 0 });
    served = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
    schemas = new AnswerSchemas(served);
  });
  after(() => service.close());

  /** Sends a request and holds the answer against the document. */
  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<number> {
    const answer = await fetch(service.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const described = path.split('?')[0];
    const content: unknown = await answer.json();
    assert.deepEqual(schemas.faults(method, described, answer.status, content), [], `${method} ${path}`);
    return answer.status;
  }

  it('of bad bodies are as the document says, at every route', async () => {
    for (const { method, path, operation } of routeTable) {
      const concrete = documentPath(path);
      if (method === 'GET' || concrete !== path) continue;
      // One of these questions ends its session.
      const headers = { 'session-token': await service.signIn() };
      const refused = path.startsWith('/v3/') ? 401 : /operator|partner/.test(operation.scope) ? 403 : 400;
      assert.equal(await ask(method, path, '{', headers), refused, path);
      await ask(method, path, {}, headers);
      await ask(method, path, { nothing: 1 }, headers);
      await ask(method, path, '"x"', { ...headers, 'Content-Type': 'text/plain' });
      await ask(method, path, ' '.repeat(70_000), headers);
      await ask(method, path, {});
    }
  }).timeout(60_000);

  it('and answers do not tell the address of the server', async () => {
    const answer = await fetch(`${service.url}/openapi.json`, {
      headers: { 'X-Forwarded-Host': 'evil.example' },
    });
    assert.doesNotMatch(await answer.text(), /evil|127\.0\.0\.1/);
  });
});
