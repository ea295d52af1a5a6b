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

describe('GET /docs', () => {
  let service: TestService;
  let answer: Response;
  let page: string;

  before(async () => {
    service = await openTestService({
      computeNodes: 0,
      env: { PUBLIC_URL: 'https://api.example.com', RATE_GUEST: '77' },
    });
    answer = await fetch(`${service.url}/docs`);
    page = await answer.text();
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
    const loaded = [...page.matchAll(/<(?:link|img|iframe|object|script)[^>]*(?:href|src)="([^"]*)"/g)].map(
      ([, url]) => url,
    );
    assert.deepEqual(loaded, ['/favicon.svg', '/docs/docs.css', '/docs/docs.js']);
  });

  it('has its style', async () => {
    const style = await fetch(`${service.url}/docs/docs.css`);
    assert.equal(style.status, 200);
    assert.match(style.headers.get('content-type')!, /^text\/css/);
    assert.doesNotMatch(await style.text(), /url\(|@import/);
  });

  it('shows every route with its fields and a command that asks for it', () => {
    for (const { method, path, operation } of routeTable) {
      const id = `${operation.id}-${method.toLowerCase()}`;
      const [section] = page.split(`<section class="endpoint" id="${id}">`)[1].split('</section>');
      assert.ok(section.includes(`<code>${path}</code>`), id);
      assert.ok(section.includes(escaped(operation.summary)), id);
      assert.ok(section.includes('https://api.example.com/'), id);
      const fields = Object.keys((operation.input.describe() as { keys?: object }).keys ?? {});
      for (const field of fields) assert.ok(section.includes(`<code>${field}</code>`), `${field} of ${id}`);
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
    assert.equal(page.split('<summary>Sample answer</summary>').length - 1, routeTable.length);
  });

  it('is light: below 170 kB compressed', () => {
    const bytes = gzipSync(page).length;
    assert.ok(bytes < 170_000, `${bytes} bytes`);
  });

  it('links to places that are there', () => {
    const ids = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.has(target), target);
  });

  it('names every tag of the document that has a route', () => {
    const { tags, paths } = openApi({ PUBLIC_URL: '' });
    for (const { name } of tags.filter(({ name }) => JSON.stringify(paths).includes(`"tags":["${name}"]`)))
      if (name !== 'Service') assert.ok(page.includes(`<h2>${name}</h2>`), name);
  });

  it('shows how to sign, and how to send a signal, as the example files do', () => {
    for (const file of ['sign-request.ts', 'sign_request.py', 'send-signal.ts', 'send-signal.sh'])
      assert.ok(
        page.includes(
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
