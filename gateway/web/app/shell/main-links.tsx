import { places } from '../places.js';
import { route } from './route.js';
import { isOpen, session } from './session.js';

/** The first part of the path below `/app`, which a page shares with those under it. */
const rootOf = (path: string): string => path.split('/')[2]?.replace('asset', '') ?? '';

/** On a phone the navigation has the five places that are for everybody; the others stand in the menu of the account. */
export const mostBelow = 5;

/** The links to some of the main places, in their order. Visitors see those of users, too: the page says what it is for. */
export const PlaceLinks = ({ from = 0, to }: { from?: number; to?: number | undefined }) =>
  places
    .filter((place) => place.isMain && (place.for === 'user' || isOpen(place)))
    .slice(from, to)
    .map(({ path, title }) => (
      <a key={path} href={path} aria-current={rootOf(path) === rootOf(route.value.path) ? 'page' : undefined}>
        {title}
      </a>
    ));

/** The navigation; it stands in the header, and on a phone below the page. */
export const MainLinks = ({ label, class: kind, most }: { label: string; class: string; most?: number }) => (
  <nav aria-label={label} class={`main-links ${kind}`}>
    <PlaceLinks to={most} />
  </nav>
);

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
