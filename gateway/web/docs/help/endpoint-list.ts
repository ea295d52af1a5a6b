import { routeTable } from '../../../routes/table.js';
import { html, type Html } from '../../html.js';

/** The endpoints of accounts whose path begins with a prefix, each with what it does and a link to its description. */
export function endpointList(prefix: string): Html {
  const routes = routeTable.filter(({ path }) => path === prefix || path.startsWith(`${prefix}/`));
  return html`<ul>
    ${routes.map(
      ({ method, path, operation: { id, summary } }) =>
        html`<li>
          <a href="/docs/account#${id}-${method.toLowerCase()}"><code>${method} ${path}</code></a
          >: ${summary}
        </li>`,
    )}
  </ul>`;
}
