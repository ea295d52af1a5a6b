import type { Settings } from '../../storage/process/settings.js';
import { version } from '../version.js';
import { routeTable } from '../routes/table.js';
import { documentPath } from './document-path.js';
import { failureSchemas } from './failures.js';
import { answerHeaders } from './headers.js';
import { pathItem } from './path-item.js';
import { securitySchemes } from './security.js';
import { openApiVersion, servicePaths } from './service-paths.js';
import { tagsOf } from './tags.js';

/** The document, as far as its own page needs to know it. */
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, object>>;
  components: Record<string, object>;
}

const description = `Trend states, scenario analysis, prices and risk.

Answers under \`/backend\` come in an envelope: \`result.type\` says how it went, \`payload\` holds the answer.
Answers under \`/v3\` are bare objects. Percentages are in percent, fractions are called so; times are UTC.
Bodies are JSON objects in UTF-8 of at most 64 KiB, in which no key stands twice.`;

/** The service as an OpenAPI 3.1 document, made from the route table and the schemas that validate. */
export function openApi({ PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const route of routeTable) {
    const path = documentPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: pathItem(route) };
  }
  Object.assign(paths, servicePaths());
  return {
    openapi: openApiVersion,
    info: { title: 'Tidemark', version, description },
    // An address of its own never comes from a request: whoever sends a Host would choose where others send secrets.
    servers: [{ url: PUBLIC_URL === '' ? '/' : PUBLIC_URL.replace(/\/$/, '') }],
    tags: tagsOf(Object.keys(paths)),
    paths,
    components: { schemas: failureSchemas(), headers: answerHeaders, securitySchemes },
  };
}
