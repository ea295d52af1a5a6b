import { readdirSync } from 'node:fs';
import { analyses } from '../../../compute/analyses.js';
import { asset } from '../../../storage/process/asset.js';
import { documentPath } from '../../openapi/document-path.js';
import type { OpenApi } from '../../openapi/document.js';
import { jsonSchemaOf } from '../../openapi/json-schema.js';
import type { Route } from '../../routes/route.js';
import { routeTable } from '../../routes/table.js';
import { endpoint, type DescribedOperation, type SaidElsewhere } from './endpoint.js';
import { fieldCount, fieldNamesOf } from './field-table.js';
import { oauthEndpoint, oauthEndpoints, oauthFields } from './oauth-endpoints.js';

/** An endpoint with its section as markup. */
export interface DocsEndpoint {
  id: string;
  method: string;
  path: string;
  title: string;
  summary: string;
  fields: string[];
  section: string;
}

/** A subject has a page of its own. */
export interface DocsSubject {
  slug: string;
  name: string;
  description: string;
  endpoints: DocsEndpoint[];
}

type Described = Omit<DocsEndpoint, 'section'> & { section: string; subject: string };

const lists = 'Lists and prices';

/** The subjects of analyses by their folder of compute; those of other folders are lists. */
const ofFolders: Readonly<Record<string, string>> = {
  backtest: 'Strategy tests',
  'core-line': 'Indicator',
  market: 'Market readings',
  risk: 'Risk and levels',
};

const wholeMarket = 'Whole market';

const descriptions: Readonly<Record<string, string>> = {
  'Market readings': 'Readings of one asset.',
  [wholeMarket]: 'Readings of several assets, and of the market.',
  'Strategy tests': 'How much of a result is luck or fitting, and which strategy does best.',
  'Risk and levels': 'What a trade risks, and at which prices.',
  [lists]: 'Assets, indicators, strategies, exchanges and prices.',
};

/** All endpoints by subject, in the order of the tags of the OpenAPI document. */
export function docsSubjects(document: OpenApi, base: string): DocsSubject[] {
  const ofAnalyses = analysisSubjects();
  const subjectOf = (tag: string, path: string): string =>
    tag === 'Analysis' ? (ofAnalyses.get(path.split('/').at(-1)!) ?? lists) : tag;
  const all: Described[] = [
    ...routeTable.map((route) => ofRoute(route, document, base)),
    ...oauthEndpoints().map((each) => ({
      ...aboutOf(each.method, each.path, each.described),
      fields: oauthFields(each),
      section: oauthEndpoint(each).text,
    })),
  ].map((each) => ({ ...each, subject: subjectOf(each.tag, each.path) }));
  const names = document.tags.flatMap(({ name }) =>
    name === 'Analysis' ? Object.keys(descriptions) : [name],
  );
  return names
    .map((name) => ({
      slug: name.toLowerCase().replaceAll(' ', '-'),
      name,
      description: descriptions[name] ?? document.tags.find((tag) => tag.name === name)!.description,
      endpoints: all.filter(({ subject }) => subject === name),
    }))
    .filter(({ endpoints }) => endpoints.length > 0);
}

/** The subject of each analysis that is written in one of the folders of compute. */
function analysisSubjects(): Map<string, string> {
  const needs = new Map<string, string>(analyses.map((each) => [each.name, each.needs]));
  return new Map(
    Object.entries(ofFolders).flatMap(([folder, subject]) =>
      readdirSync(asset(`compute/${folder}`)).map((file) => {
        const name = file.replace(/\.js$/, '');
        const isOfMany = folder === 'market' && /assets|market/.test(needs.get(name) ?? '');
        return [name, isOfMany ? wholeMarket : subject] as const;
      }),
    ),
  );
}

const fewFields = 8;

/** The first route of the same tag that takes the same many fields, such as that which sends what another one checks. */
function sameFields({ method, path, operation }: Route, document: OpenApi): SaidElsewhere['sameFields'] {
  const describedAs = (of: string, at: string) =>
    document.paths[documentPath(at)][of.toLowerCase()] as DescribedOperation;
  const shape = (of: Route['operation']) => JSON.stringify(jsonSchemaOf(of.input));
  if (fieldCount(jsonSchemaOf(operation.input)) <= fewFields) return null;
  const [tag] = describedAs(method, path).tags;
  const first = routeTable.find(
    (other) =>
      other.method === method &&
      describedAs(other.method, other.path).tags[0] === tag &&
      shape(other.operation) === shape(operation),
  )!;
  // Analyses of one tag stand on several pages.
  if (first.path === path || tag === 'Analysis') return null;
  return { id: describedAs(first.method, first.path).operationId, name: `${first.method} ${first.path}` };
}

/** Whether the same is asked by POST, too: then that describes both. */
const isTwin = ({ method, path, operation }: Route): boolean =>
  method === 'GET' &&
  routeTable.some(
    (other) => other.method === 'POST' && other.path === path && other.operation.id === operation.id,
  );

const aboutOf = (method: string, path: string, { operationId, summary, tags }: DescribedOperation) => ({
  id: operationId,
  method,
  path,
  summary,
  tag: tags[0],
  title: operationId.replace(/-[a-z]+$/, '').replaceAll('-', ' '),
});

function ofRoute(route: Route, document: OpenApi, base: string) {
  const { method, path, operation } = route;
  const described = document.paths[documentPath(path)][method.toLowerCase()] as DescribedOperation;
  const schemas = { input: jsonSchemaOf(operation.input), output: jsonSchemaOf(operation.output) };
  return {
    ...aboutOf(method, path, described),
    fields: [...fieldNamesOf(schemas.input), ...fieldNamesOf(schemas.output)],
    section: endpoint(route, described, schemas, base, {
      isTwin: isTwin(route),
      sameFields: sameFields(route, document),
    }).text,
  };
}
