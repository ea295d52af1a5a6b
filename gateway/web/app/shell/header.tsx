import { heardAt, liveState } from '../live/live.js';
import { capital, momentText } from '../parts/formats.js';
import { places } from '../places.js';
import { route } from './route.js';
import { isOpen, session } from './session.js';

/** The head of every page. */
export function Header() {
  return (
    <header class="top">
      <a class="brand" href="/app" aria-label="Tidemark">
        <Logo />
        <span>Tidemark</span>
      </a>
      <nav aria-label="Pages" class="main-links">
        <PlaceLinks />
      </nav>
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
  <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="var(--accent)" />
    <path
      fill="none"
      stroke="var(--on-accent)"
      stroke-width="2.5"
      d="M5 20c3.5 0 3.5-5 7-5s3.5 5 7 5 3.5-5 8-5M5 11h22"
    />
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

/** The first part of the path below `/app`, which a page shares with those under it. */
const rootOf = (path: string): string => path.split('/')[2]?.replace('asset', '') ?? '';

/** On a phone the navigation lies below the page and has five places, which are for everybody; the others stand in the menu of the account. */
const mostBelow = 5;

/** The links to the main places, in their order. Visitors see those of users, too: the page says what it is for. */
const PlaceLinks = ({ from = 0 }: { from?: number }) =>
  places
    .filter((place) => place.isMain && (place.for === 'user' || isOpen(place)))
    .slice(from)
    .map(({ path, title }) => (
      <a key={path} href={path} aria-current={rootOf(path) === rootOf(route.value.path) ? 'page' : undefined}>
        {title}
      </a>
    ));

/** How a visitor becomes a user, and comes back to this page. */
export function SignInLinks({ signIn, signUp }: { signIn?: string; signUp: string }) {
  const next = encodeURIComponent(route.value.path + location.search);
  return (
    <>
      <a class={signIn} href={`/sign-in?next=${next}`}>
        Sign in
      </a>
      {session.value?.service.signUp && (
        <a class={signUp} href={`/sign-up?next=${next}`}>
          Make an account
        </a>
      )}
    </>
  );
}
