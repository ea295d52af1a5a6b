import { documentPath } from '../../openapi/document-path.js';
import type { Rates } from '../../prepared/documentation.js';
import type { OpenApi } from '../../openapi/document.js';
import { jsonSchemaOf } from '../../openapi/json-schema.js';
import type { Route } from '../../routes/route.js';
import { routeTable } from '../../routes/table.js';
import { html, type Html } from '../html.js';
import { pageHead } from '../page-head.js';
import { endpoint, type DescribedOperation } from './endpoint.js';
import { guide } from './guide.js';
import { oauthEndpoint, oauthEndpoints, type OauthEndpoint } from './oauth-endpoints.js';

const chapters = ['Envelope', 'Sessions', 'Signing', 'Signals', 'Errors', 'Limits'];

/**
 * The API documentation: one page with nothing from other hosts, which can be read without its script. `base`: the address of
 * the service.
 */
export function docsPage(document: OpenApi, base: string, rates: Rates): string {
  const endpoints = [
    ...routeTable.map((route) => ofRoute(route, document, base)),
    ...oauthEndpoints().map(ofOauth),
  ];
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    members: endpoints.filter(({ described }) => described.tags.includes(name)),
  }));
  const shown = groups.filter(({ members }) => members.length > 0);
  const page = html`<!doctype html>
    <html lang="en">
      ${pageHead({
        title: `${document.info.title} API`,
        style: '/docs/docs.css',
        script: '/docs/docs.js',
      })}
      <body>
        <a class="skip" href="#content">To the content</a>
        <nav aria-label="Contents">
          <p class="title">${document.info.title} API <small>${document.info.version}</small></p>
          <div role="search" hidden>
            <label for="search">Search endpoints and fields</label>
            <input id="search" type="search" autocomplete="off" spellcheck="false" />
            <p id="found" role="status"></p>
            <ul id="results"></ul>
          </div>
          <div id="contents">
            <ul>
              ${chapters.map((name) => html`<li><a href="#${name.toLowerCase()}">${name}</a></li>`)}
            </ul>
            ${shown.map(
              ({ name, members }) =>
                html`<p>${name}</p>
                  <ul>
                    ${members.map(
                      ({ method, path, described }) =>
                        html`<li>
                          <a href="#${described.operationId}"
                            ><span class="method">${method}</span>
                            ${path.replace(/^\/(backend|v3\/ai)/, '')}</a
                          >
                        </li>`,
                    )}
                  </ul>`,
            )}
            <p><a href="/docs/connect">Connect an AI client</a></p>
            <p><a href="/docs/tokens">Tokens and scopes</a></p>
            <p><a href="/openapi.json">openapi.json</a></p>
          </div>
        </nav>
        <main id="content">
          <h1>${document.info.title} API</h1>
          <p>
            Trend states, scenario analysis, prices and risk. As OpenAPI 3.1:
            <a href="/openapi.json">openapi.json</a>. For AI clients:
            <a href="/docs/connect">how to connect them</a>. What each token may do:
            <a href="/docs/tokens">tokens and scopes</a>.
          </p>
          ${guide(rates, base)}
          ${shown.map(
            ({ name, description, members }) =>
              html`<section>
                <h2>${name}</h2>
                <p>${description}</p>
                ${members.map(({ section }) => section)}
              </section>`,
          )}
        </main>
      </body>
    </html> `;
  return page.text;
}

/** An endpoint as the page shows it. */
interface ShownEndpoint {
  method: string;
  path: string;
  described: DescribedOperation;
  section: Html;
}

function ofRoute(route: Route, document: OpenApi, base: string): ShownEndpoint {
  const { method, path } = route;
  const { input, output } = route.operation;
  const described = document.paths[documentPath(path)][method.toLowerCase()] as DescribedOperation;
  const schemas = { input: jsonSchemaOf(input), output: jsonSchemaOf(output) };
  return { method, path, described, section: endpoint(route, described, schemas, base) };
}

const ofOauth = (each: OauthEndpoint): ShownEndpoint => ({ ...each, section: oauthEndpoint(each) });
