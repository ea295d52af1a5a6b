/** A page as a client without scripts sees it. */
export interface SeenPage {
  status: number;
  headers: Headers;
  text: string;
  /** Where the browser is sent; null if it stays. */
  location: string | null;
}

export interface SentForm {
  /** The hidden field `form`; absent for pages that have one form alone. */
  form?: string;
  headers?: Record<string, string>;
}

/** A browser without scripts: it keeps cookies, and sends forms with what their page contained. It follows no redirect. */
export class PageClient {
  readonly #url: string;
  readonly cookies = new Map<string, string>();
  /** The `Set-Cookie` headers of all answers. */
  readonly setCookies: string[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<SeenPage> {
    return this.#ask(path, { headers });
  }

  /** Posts fields as they are. */
  post(path: string, fields: Record<string, string> | string, headers: Record<string, string> = {}) {
    const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return this.#ask(path, { method: 'POST', body, headers: { ...type, ...headers } });
  }

  /** Opens a page and sends one of its forms, with its hidden fields. */
  async submit(
    path: string,
    fields: Record<string, string>,
    { form, headers }: SentForm = {},
  ): Promise<SeenPage> {
    const { text } = await this.get(path);
    const name = form ?? 'form';
    const found = [...text.matchAll(/<form[^]*?<\/form>/g)]
      .map(([markup]) => markup)
      .find((markup) => form === undefined || hiddenFields(markup).form === name);
    if (found === undefined) throw new Error(`${path} has no form "${name}"`);
    const action = /action="([^"]*)"/.exec(found)![1].replaceAll('&amp;', '&');
    return this.post(action, { ...hiddenFields(found), ...fields }, headers);
  }

  async #ask(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<SeenPage> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie === '' ? {} : { cookie }), ...init.headers };
    const answer = await fetch(this.#url + path, { ...init, headers, redirect: 'manual' });
    for (const each of answer.headers.getSetCookie()) this.#keep(each);
    const location = answer.headers.get('location');
    return { status: answer.status, headers: answer.headers, text: await answer.text(), location };
  }

  #keep(header: string): void {
    this.setCookies.push(header);
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(header)!;
    if (/; Max-Age=0(;|$)/.test(header)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** The hidden fields of markup. */
export function hiddenFields(markup: string): Record<string, string> {
  const found = markup.matchAll(/<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g);
  return Object.fromEntries([...found].map(([, name, value]) => [name, value.replaceAll('&amp;', '&')]));
}
