import type { Page } from './page.js';
import { signInPage } from './pages/sign-in.js';
import { signOutPage } from './pages/sign-out.js';

/** All pages with forms, in alphabetical order of their files. */
export const sitePages: readonly Page[] = [signInPage, signOutPage];
