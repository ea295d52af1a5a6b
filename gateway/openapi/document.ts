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

/** The parts of the document that the docs page uses. */
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, object>>;
  components: Record<string, object>;
}

const description = `Trend states, scenario analysis, prices and risk.

Answers under \`/backend\` have an envelope: \`result.type\` is the outcome, \`payload\` the data.
Answers under \`/v3\` have no envelope. Percent fields: 5 means 5 %. Times are UTC.
Bodies are JSON objects in UTF-8 of at most 64 KiB without repeated keys.`;

/** The OpenAPI 3.1 document of the service, made from the route table and the schemas that validate requests. */
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
    // Never taken from a request: a forged Host header could make other clients send their secrets elsewhere.
    servers: [{ url: PUBLIC_URL === '' ? '/' : PUBLIC_URL.replace(/\/$/, '') }],
    tags: tagsOf(Object.keys(paths)),
    paths,
    components: { schemas: failureSchemas(), headers: answerHeaders, securitySchemes },
  };
}
