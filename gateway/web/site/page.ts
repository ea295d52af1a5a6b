import type { LinkKind } from '../../../storage/mail/mail-kinds.js';
import type { SignedIn } from '../../../storage/users/signed-in-directory.js';
import type { Operation } from '../../operation.js';
import type { Html } from '../html.js';
import type { FormFaults } from './form-faults.js';
import type { FormField } from './form-field.js';
import type { Notice } from './notices.js';

/** What a page shows: the title of the window, and the content, which begins with an `h1`. */
export interface PageView {
  title: string;
  body: Html;
}

/** A form that was refused: its name, what the fields held, and what is wrong. */
export interface RefusedForm {
  form: string;
  values: Readonly<Record<string, string>>;
  faults: FormFaults;
}

/** The request of a page, as its code sees it. Pages hold no logic of their own: they read through operations. */
export interface PageRequest {
  /** Path without query. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Never null on a page whose scope is `user`. */
  user: SignedIn | null;
  /** What forms contain so that they count as the user's own; see `csrfToken`. */
  csrf: string;
  /** The form of this page that was just refused; null otherwise. */
  refused: RefusedForm | null;
  /** The token of the link from a mail that led here; null without one, and on pages that take none. */
  linkToken: string | null;
  /** Whether accounts can be made here. */
  signUp: boolean;
  /** The folder in which mails are files; null where they are sent. */
  mailFolder: string | null;
  /** Runs an operation as this caller, for its points, as REST does. Throws what the operation throws, and `rate_limited`. */
  run<Input, Output>(operation: Operation<Input, Output>, input?: object): Promise<Output>;
}

/** What follows a form that was accepted: another page, or one that is shown just this once. */
export type FormDone = ({ to: string; notice?: Notice } | { view: PageView }) & {
  /** A session token to sign the browser in with, or null to sign it out. */
  session?: string | null;
};

/** A form of a page: a face of an operation. */
export interface PageForm<Input, Output> {
  /** Unique within its page. */
  name: string;
  operation: Operation<Input, Output>;
  /** What the user fills in. */
  fields: readonly FormField[];
  /** It uses the link from a mail up. */
  usesLink?: true;
  /** The operation's input by what was sent. By default these are the fields of the form; text is converted as in a query. */
  input?: (values: Readonly<Record<string, string>>, request: PageRequest) => object;
  done(output: Output, request: PageRequest, values: Readonly<Record<string, string>>): FormDone;
}

/** A page at a path. Its GET renders, and its POST takes one of its forms. */
export interface Page {
  /** In the syntax of @koa/router. */
  path: string;
  /** Pages for users send guests to sign in, and bring them back. Default: for everybody. */
  scope?: 'user';
  /** Where a page for users sends guests instead. */
  pathOfGuests?(query: PageRequest['query']): string;
  /** The mail whose links lead here. Their token is moved from the URL into a cookie, until a form was accepted. */
  link?: LinkKind;
  render(request: PageRequest): PageView | Promise<PageView>;
  forms: readonly PageForm<unknown, unknown>[];
}

export const definePageForm = <Input, Output>(form: PageForm<Input, Output>): PageForm<Input, Output> => form;

export const definePage = (page: Page): Page => page;
