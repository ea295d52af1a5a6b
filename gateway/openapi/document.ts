import { once } from '../../storage/process/once.js';
import type { Settings } from '../../storage/process/settings.js';
import { documentedUrl } from '../prepared/documentation.js';
import { version } from '../../storage/process/version.js';
import { routeTable } from '../routes/table.js';
import { documentPath } from './document-path.js';
import { failureSchemas } from './failures.js';
import { answerHeaders } from './headers.js';
import { jsonSchemaOf } from './json-schema.js';
import { oauthFailureSchema, oauthPaths } from './oauth-paths.js';
import { pathItem } from './path-item.js';
import { ruleSchemas } from './rules-schemas.js';
import { securitySchemes } from './security.js';
import { openApiVersion, servicePaths } from './service-paths.js';
import { tagsOf } from './tags.js';
import { withNamedSchemas } from './with-named-schemas.js';

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
Bodies are JSON objects in UTF-8 of at most 64 KiB without repeated keys.

AI clients get access by OAuth 2.1: \`/authorize\` in the browser of the user, then \`/token\`; errors there have the form of RFC 6749.
The connector that they then use is at \`/mcp\` and speaks the Model Context Protocol, which OpenAPI does not describe.`;

/**
 * The OpenAPI 3.1 document of the service, made from the route table and the schemas that validate requests. Links are only
 * for the contract tests: generators of clients refuse those whose request body is an object.
 */
export function openApi(
  settings: Pick<Settings, 'PUBLIC_URL'>,
  { links = false }: { links?: boolean } = {},
): OpenApi {
  // Never taken from a request: a forged Host header could make other clients send their secrets elsewhere.
  const servers = [{ url: documentedUrl(settings) }];
  const { openapi, info, ...rest } = links ? withLinks() : withoutLinks();
  return { openapi, info, servers, ...rest };
}

const withLinks = once(() => describedRoutes(true));
const withoutLinks = once(() => describedRoutes(false));

function describedRoutes(hasLinks: boolean): Omit<OpenApi, 'servers'> {
  const paths: OpenApi['paths'] = {};
  for (const route of routeTable) {
    const path = documentPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: pathItem(route, hasLinks) };
  }
  Object.assign(paths, oauthPaths(), servicePaths());
  return withNamedSchemas({
    openapi: openApiVersion,
    info: { title: 'Tidemark', version, description },
    tags: tagsOf(Object.keys(paths)),
    paths,
    components: {
      schemas: { ...failureSchemas(), ...ruleSchemas, OauthFailure: jsonSchemaOf(oauthFailureSchema) },
      headers: answerHeaders,
      securitySchemes,
    },
  });
}
