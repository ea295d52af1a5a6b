import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openApi } from '../../../gateway/openapi/document.js';
import { routeTable } from '../../../gateway/routes/table.js';
import { html } from '../../../gateway/web/html.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { projectRoot } from '../../support/harness/paths.js';

const escaped = (text: string) => html`${text}`.text;

/** Whether POST asks the same, and describes it. */
const isTwin = (method: string, path: string, id: string) =>
  method === 'GET' &&
  routeTable.some((other) => other.method === 'POST' && other.path === path && other.operation.id === id);

describe('the pages of the documentation', () => {
  let service: TestService;
  let answer: Response;
  let home: string;
  /** Everything on one page. */
  let page: string;
  const slugs = new Set<string>();
  const pages = new Map<string, string>();

  before(async () => {
    service = await openTestService({
      computeNodes: 0,
      env: { PUBLIC_URL: 'https://api.example.com', RATE_GUEST: '77' },
    });
    answer = await fetch(`${service.url}/docs`);
    home = await answer.text();
    page = await (await fetch(`${service.url}/docs/all`)).text();
    for (const [, slug] of home.matchAll(/href="\/docs\/([a-z-]+)"/g)) slugs.add(slug);
    for (const slug of slugs) pages.set(slug, await (await fetch(`${service.url}/docs/${slug}`)).text());
  });
  after(() => service.close());

  it('is a page that loads nothing from elsewhere and runs nothing of its own text', () => {
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type')!, /^text\/html/);
    const policy = answer.headers.get('content-security-policy')!;
    assert.match(
      policy,
      /default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';.*frame-ancestors 'none'/,
    );
    assert.doesNotMatch(policy, /unsafe|connect-src/);
    assert.doesNotMatch(page, /<script[^>]*>[^<]|<style|\sstyle=|\son\w+=/);
    const loaded = [...home.matchAll(/<(?:link|img|iframe|object|script)[^>]*(?:href|src)="([^"]*)"/g)].map(
      ([, url]) => url,
    );
    assert.deepEqual(loaded, [
      '/favicon.svg',
      '/docs/docs.css',
      '/docs/docs.js',
      '/docs/current-section.js',
      '/docs/example-heads.js',
      '/docs/ranked-entries.js',
      '/docs/search.js',
    ]);
  });

  it('has its style', async () => {
    const style = await fetch(`${service.url}/docs/docs.css`);
    assert.equal(style.status, 200);
    assert.match(style.headers.get('content-type')!, /^text\/css/);
    assert.doesNotMatch(await style.text(), /url\(|@import/);
  });

  it('shows every route on one page of a subject, with its fields and programs that ask for it', () => {
    const subjects = [...pages].filter(([slug]) => slug !== 'all');
    for (const { method, path, operation } of routeTable) {
      const id = `${operation.id}-${method.toLowerCase()}`;
      const found = subjects.filter(([, text]) => text.includes(`<section class="endpoint" id="${id}">`));
      assert.equal(found.length, 1, id);
      const [[slug, text]] = found;
      const [section] = text.split(`<section class="endpoint" id="${id}">`)[1].split('</section>');
      assert.ok(section.includes(`<code>${path}</code>`), id);
      assert.ok(section.includes(`<a class="anchor" href="#${id}"`), id);
      assert.ok(section.includes(escaped(operation.summary)), id);
      for (const language of ['curl', 'TypeScript', 'Python'])
        assert.match(
          section.split(`data-language="${language}"`)[1],
          /^[^]*?https:\/\/api\.example\.com\//,
          id,
        );
      // Where one page had all of them, the anchor leads on to the new place.
      assert.ok(home.includes(`<a id="${id}" href="/docs/${slug}#${id}">`), id);
      if (isTwin(method, path, operation.id) || section.includes('The same fields as')) continue;
      const fields = Object.keys((operation.input.describe() as { keys?: object }).keys ?? {});
      for (const field of fields) assert.ok(section.includes(`<code>${field}</code>`), `${field} of ${id}`);
    }
    for (const id of ['envelope', 'sessions', 'signing', 'signals', 'errors', 'limits'])
      assert.match(home, new RegExp(`<a id="${id}" href="/docs/[a-z]+#${id}">`));
  });

  it('folds answers of more than 12 fields, and shows shorter ones', () => {
    for (const [, answer] of pages.get('account')!.matchAll(/<details([^]*?)<\/details>/g)) {
      if (!answer.includes('<summary>Answer</summary>')) continue;
      const rows = answer.split('<tr>').length - 2;
      assert.equal(/^\s*open/.test(answer), rows <= 12, answer.slice(0, 200));
    }
  });

  it('says of fields inside of others, too, which must be there', () => {
    const row = (field: string) => page.split(`<td><code>${field}</code></td>`)[1].split('</tr>')[0];
    assert.match(row('holdings[].asset'), /<td>\s*required;/);
    assert.doesNotMatch(row('apiKey'), /required/);
  });

  it('names one host in all its commands and programs', () => {
    const shown = [...page.matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g)].map(([, code]) => code);
    const commands = shown.filter((code) => /curl|argv/.test(code)).join('\n');
    const hosts = [...commands.matchAll(/https?:\/\/[^\s/<'"&]+/g)].map(([host]) => host);
    assert.ok(hosts.length > 60);
    assert.deepEqual([...new Set(hosts)], ['https://api.example.com']);
  });

  it('shows an answer of a real run of every route', () => {
    assert.equal(
      page.split('<summary>Sample answer</summary>').length - 1,
      routeTable.filter(({ method, path, operation }) => !isTwin(method, path, operation.id)).length,
    );
  });

  it('is light: each page below 35 kB compressed, all on one below 165', () => {
    for (const [slug, text] of pages) {
      const bytes = gzipSync(text).length;
      assert.ok(bytes < (slug === 'all' ? 165_000 : 35_000), `${slug}: ${bytes} bytes`);
    }
  });

  it('links to places that are there', () => {
    pages.set('', home);
    const idsOf = (text: string) => new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const ids = new Map([...pages].map(([slug, text]) => [slug, idsOf(text)]));
    for (const [slug, text] of pages)
      for (const [, to, target] of text.matchAll(/href="(?:\/docs\/?([a-z-]*))?(?:#([^"]+))?"/g)) {
        const there = ids.get(to ?? slug);
        assert.ok(there, `${to} of ${slug}`);
        if (target !== undefined) assert.ok(there.has(target), `${target} of ${slug}`);
      }
  });

  it('answers 404 for a subject that there is not', async () => {
    assert.equal((await fetch(`${service.url}/docs/nothing`)).status, 404);
  });

  it('names every tag of the document that has a route', () => {
    // Analyses are several subjects.
    const { tags, paths } = openApi({ PUBLIC_URL: '' });
    for (const { name } of tags.filter(({ name }) => JSON.stringify(paths).includes(`"tags":["${name}"]`)))
      if (name !== 'Service' && name !== 'Analysis') assert.ok(page.includes(`<h2>${name}</h2>`), name);
  });

  it('shows how to sign, and how to send a signal, as the example files do', () => {
    for (const file of ['sign-request.ts', 'sign_request.py', 'send-signal.ts', 'send-signal.sh'])
      assert.ok(
        [...pages.values()]
          .join('')
          .includes(
            escaped(
              readFileSync(join(projectRoot, 'gateway/web/examples', file), 'utf8').replaceAll(
                'http://127.0.0.1:3000',
                'https://api.example.com',
              ),
            ),
          ),
        file,
      );
  });

  it('tells the limits in force', () => {
    assert.match(page, /an address without a session<\/td>\s*<td>77 points/);
  });
});

describe('html', () => {
  it('keeps text text', () => {
    const text = `<script>"a" & 'b'</script>`;
    assert.equal(html`<p title="${text}">${text}${[html`<b>${1}</b>`]}</p>`.text.includes('<script>'), false);
    assert.equal(html`${[html`<b>${1}</b>`, html`<i>&</i>`]}`.text, '<b>1</b><i>&</i>');
  });
});
