import { oauthPaths } from '../../openapi/oauth-paths.js';
import type { JsonSchema } from '../../openapi/json-schema.js';
import { html, type Html } from '../html.js';
import { endpointSection, type DescribedOperation } from './endpoint.js';
import { fieldNamesOf, fieldTable } from './field-table.js';

/** An endpoint of OAuth as the OpenAPI document describes it. */
export interface OauthEndpoint {
  method: string;
  path: string;
  described: DescribedOperation & {
    parameters?: { name: string; required: boolean; description: string; schema: JsonSchema }[];
    requestBody?: { content: Record<string, { schema: JsonSchema }> };
    responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
  };
}

/** The endpoints of OAuth, which are no routes of the API, in the order of the OpenAPI document. */
export const oauthEndpoints = (): OauthEndpoint[] =>
  Object.entries(oauthPaths()).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      described: described as OauthEndpoint['described'],
    })),
  );

/** The section of one of them. */
export function oauthEndpoint({ method, path, described }: OauthEndpoint): Html {
  const types = Object.keys(described.requestBody?.content ?? {});
  const answer = described.responses['201'] ?? described.responses['200'];
  const fields = answer.content?.['application/json']?.schema;
  return endpointSection(
    { method, path },
    described,
    html`<h3>Request</h3>
      ${types.length > 0 ? html`<p>The body is sent as <code>${types.join(', ')}</code>.</p>` : ''}
      ${fieldTable(requestSchema(described), 'request')}
      ${
        fields
          ? html`<details>
              <summary>Answer</summary>
              ${fieldTable(fields, 'answer')}
            </details>`
          : ''
      }`,
  );
}

/** The names of its fields. */
export const oauthFields = ({ described }: OauthEndpoint): string[] => fieldNamesOf(requestSchema(described));

function requestSchema({ parameters = [], requestBody }: OauthEndpoint['described']): JsonSchema {
  const [body] = Object.values(requestBody?.content ?? {});
  if (body) return body.schema;
  return {
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}
