import { Choice } from '../parts/controls.js';
import { prefer, preferenceFault, preferences } from '../parts/preferences.js';
import { ActionFault } from '../parts/states.js';
import { ShownPage } from './shown-page.js';
import { Header } from './header.js';
import { EndedSession, KeyHelp } from './overlays.js';
import { session } from './session.js';

/** What stands around every page: header, navigation, lines about the account, footer. */
export function Shell() {
  const user = session.value?.user;
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <Header />
      {user && !user.isVerified && (
        <p class="line">
          Confirm your e-mail address: <a href="/verify">how to do it</a>
        </p>
      )}
      <ActionFault error={preferenceFault.value} />
      <main id="content" tabIndex={-1}>
        <ShownPage />
      </main>
      <footer>
        <nav aria-label="Service">
          <a href="/docs">API docs</a>
          <a href="/docs/connect">Connect an AI client</a>
          <a href="/app/about">About</a>
        </nav>
        <Choice
          label="Times"
          value={preferences.value.time}
          options={{ local: 'Local time', UTC: 'UTC' }}
          onChange={(time) => prefer(() => ({ time }))}
        />
        <p class="quiet">
          Keys: <kbd>/</kbd> find, <kbd>?</kbd> all keys
        </p>
      </footer>
      <KeyHelp />
      <EndedSession />
    </>
  );
}
