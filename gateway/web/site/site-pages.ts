import type { Page } from './page.js';
import { appsPage } from './pages/account/apps.js';
import { deletePage } from './pages/account/delete.js';
import { exchangesPage } from './pages/account/exchanges.js';
import { overviewPage } from './pages/account/overview.js';
import { securityPage } from './pages/account/security.js';
import { sessionsPage } from './pages/account/sessions.js';
import { tokensPage } from './pages/account/tokens.js';
import { forgotPage } from './pages/forgot.js';
import { resetPage } from './pages/reset.js';
import { signInPage } from './pages/sign-in.js';
import { signOutPage } from './pages/sign-out.js';
import { signUpPage } from './pages/sign-up.js';
import { verifyPage } from './pages/verify.js';

/** All pages with forms, in alphabetical order of their files. */
export const sitePages: readonly Page[] = [
  appsPage,
  deletePage,
  exchangesPage,
  overviewPage,
  securityPage,
  sessionsPage,
  tokensPage,
  forgotPage,
  resetPage,
  signInPage,
  signOutPage,
  signUpPage,
  verifyPage,
];
