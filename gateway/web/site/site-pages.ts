import type { Page } from './page.js';
import { forgotPage } from './pages/forgot.js';
import { resetPage } from './pages/reset.js';
import { signInPage } from './pages/sign-in.js';
import { signOutPage } from './pages/sign-out.js';
import { signUpPage } from './pages/sign-up.js';
import { verifyPage } from './pages/verify.js';

/** All pages with forms, in alphabetical order of their files. */
export const sitePages: readonly Page[] = [
  forgotPage,
  resetPage,
  signInPage,
  signOutPage,
  signUpPage,
  verifyPage,
];
