import { heardAt, liveState } from '../live/live.js';
import { capital, momentText } from '../parts/formats.js';
import { MainLinks, mostBelow, PlaceLinks, SignInLinks } from './main-links.js';
import { session } from './session.js';

/** The head of every page. */
export function Header() {
  return (
    <header class="top">
      <a class="brand" href="/app" aria-label="Tidemark">
        <Logo />
        <span>Tidemark</span>
      </a>
      <MainLinks label="Pages" class="side" />
      <div class="about">
        {session.value?.service.market === 'demo' && <span class="badge">Demo market</span>}
        <LiveMark />
        <Account />
      </div>
    </header>
  );
}

/** The icon of the window: as an image it would be a document of its own. */
const Logo = () => (
  <svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect width="32" height="32" rx="7" />
    <path d="M5 20c3.5 0 3.5-5 7-5s3.5 5 7 5 3.5-5 8-5M5 11h22" />
  </svg>
);

const liveMarks = { live: '●', reconnecting: '○', offline: '□' } as const;

/** Whether figures come by themselves. */
function LiveMark() {
  const state = liveState.value;
  // Read only where it is shown: it changes with each event.
  const since = () => (heardAt.value ? `, as of ${momentText(heardAt.value, 'minute')}` : '');
  const text = state === 'offline' ? `Offline${since()}` : capital(state);
  return (
    <span class="live" data-mark={liveMarks[state]} role="status">
      {text}
    </span>
  );
}

function Account() {
  if (session.value === null) return null;
  const { user } = session.value;
  if (!user)
    return (
      <nav aria-label="Account">
        <SignInLinks signUp="button small" />
      </nav>
    );
  return (
    <details class="menu">
      <summary class="button plain">
        <span class="who">{user.email}</span>
      </summary>
      <nav aria-label="Account">
        <PlaceLinks from={mostBelow} />
        <a href="/account">Account</a>
        <a href="/account/exchanges">Exchanges</a>
        <a href="/sign-out">Sign out</a>
      </nav>
    </details>
  );
}
