import { places, type Place } from '../places.js';
import { route } from './route.js';
import { session } from './session.js';

/** Whether a place is for this browser: visitors see what accounts are for. */
function isShown({ isMain, for: who }: Place): boolean {
  if (!isMain) return false;
  if (who === 'member') return Boolean(session.value?.partner);
  if (who === 'operator') return session.value?.user?.isOperator === true;
  return true;
}

/** The first part of the path below `/app`, which a page shares with those under it. */
const rootOf = (path: string): string => path.split('/')[2]?.replace('asset', '') ?? '';

/** The places of the navigation. On a phone it has the five that are for everybody; the others stand in the menu of the account. */
export const mainPlaces = (): readonly Place[] => places.filter(isShown);
export const mostBelow = 5;

/** The navigation; it stands in the header, and on a phone below the page. */
export function MainLinks({ label, class: kind, most }: { label: string; class: string; most?: number }) {
  const here = rootOf(route.value.path);
  return (
    <nav aria-label={label} class={`main-links ${kind}`}>
      {mainPlaces()
        .slice(0, most)
        .map(({ path, title }) => (
          <a key={path} href={path} aria-current={rootOf(path) === here ? 'page' : undefined}>
            {title}
          </a>
        ))}
    </nav>
  );
}
