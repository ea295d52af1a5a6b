import { hiddenFields, PageClient } from '../browser/page-client.js';

/**
 * Opens the URL that a client sends its user to, signs in on the page of consent and allows what is asked. Answers the address
 * that the browser is sent back to.
 */
export async function allowInBrowser(
  authorizationUrl: URL,
  account: { email: string; password: string },
): Promise<URL> {
  const browser = new PageClient(authorizationUrl.origin);
  const page = await browser.get(authorizationUrl.pathname + authorizationUrl.search);
  const form = page.text.split('action="/authorize/login"').at(1);
  if (form === undefined) throw new Error(`no page of consent: ${page.status} ${page.text.slice(0, 500)}`);
  const decided = { ...hiddenFields(form), ...account, decision: 'allow' };
  const { location, status } = await browser.post('/authorize/login', decided);
  if (location === null) throw new Error(`the browser is not sent back: ${status}`);
  return new URL(location);
}
