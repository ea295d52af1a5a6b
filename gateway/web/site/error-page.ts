import { html } from '../html.js';
import { layout } from './layout.js';

const headings: Record<number, string> = {
  400: 'This request is not valid',
  401: 'Sign in first',
  403: 'This is not allowed',
  404: 'There is no such page',
  405: 'This does not work here',
  413: 'That is too much text',
  415: 'This form was not understood',
  429: 'Too many requests',
  503: 'Not available at the moment',
  504: 'That took too long',
};

export interface PageError {
  status: number;
  /** What happened; null for a bug, whose message is not shown. */
  message: string | null;
  requestId: string;
}

/** The page of an error: what happened, what to do, and the id that operators find it by. */
export function errorPage({ status, message, requestId }: PageError): string {
  const heading =
    headings[status] ?? (status < 500 ? 'This request is not valid' : 'Something went wrong here');
  const what =
    message ?? 'The service failed. Try again; if it happens again, tell its operator the id below';
  const body = html`<h1>${heading}</h1>
    <p>${what.charAt(0).toUpperCase()}${what.slice(1)}.</p>
    <p class="quiet">Error ${status}, request <code>${requestId}</code></p>`;
  return layout({ title: heading, body, email: null, signOut: null, path: '' });
}
