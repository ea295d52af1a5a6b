import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { NewVersion } from '../parts/lazily.js';
import { PageHead } from '../parts/page-head.js';
import type { Place } from '../places.js';
import { route, type ReaderRoute } from './route.js';
import { isSessionUnknown, loadSession, session } from './session.js';

/** What a page of the application is given. */
export type PageProps = Pick<ReaderRoute, 'params' | 'query'>;

/** The file of a page exports its component alone. */
type PageModule = Readonly<Record<string, ComponentType<PageProps>>>;

const loaded = new Map<string, ComponentType<PageProps>>();

/** Loads the file of a page; throws where that fails. */
export async function loadPage(file = ''): Promise<void> {
  if (file === '' || loaded.has(file)) return;
  const [page] = Object.values((await import(`../pages/${file}-page.tsx`)) as PageModule);
  loaded.set(file, page);
}

/** The page at the reader's place, loaded when it is first opened; visitors at a page for users read what it is for. */
export function ShownPage() {
  const { place, params, query, path } = route.value;
  const [failed, setFailed] = useState('');
  const [, setLoaded] = useState('');
  const file = place?.file ?? '';
  useEffect(() => {
    if (file === '' || loaded.has(file)) return;
    loadPage(file).then(
      () => setLoaded(file),
      () => setFailed(file),
    );
  }, [file]);
  if (!place) return <PageHead key={path} title="There is no such page" />;
  if (place.for !== 'all') {
    if (isSessionUnknown.value) return <Unknown place={place} />;
    if (!session.value) return <Waiting place={place} />;
    if (!isAllowed(place)) return <Invitation place={place} />;
  }
  if (failed === file) return <NewVersion />;
  const Page = loaded.get(file);
  return Page ? <Page key={path} params={params} query={query} /> : <Waiting place={place} />;
}

function isAllowed({ for: who }: Place): boolean {
  const { user, partner } = session.value!;
  if (who === 'member') return partner !== null;
  if (who === 'operator') return user?.isOperator === true;
  return user !== null;
}

const Waiting = ({ place }: { place: Place }) => (
  <div aria-busy="true">
    <PageHead title={place.title} />
    <div class="panel loading" style={{ minHeight: '16rem' }} />
  </div>
);

const Unknown = ({ place }: { place: Place }) => (
  <>
    <PageHead title={place.title} />
    <div class="panel failed" role="alert">
      <p>The service did not say whether you are signed in.</p>
      <button type="button" onClick={() => void loadSession()}>
        Try again
      </button>
    </div>
  </>
);

/** What visitors see at a page for others. */
function Invitation({ place }: { place: Place }) {
  const { user, service } = session.value!;
  const next = encodeURIComponent(location.pathname + location.search);
  return (
    <>
      <PageHead title={place.title} />
      <div class="panel invitation">
        <p>{place.purpose}</p>
        {user ? (
          <p class="quiet">Your account has no access to this page.</p>
        ) : (
          <p class="actions">
            <a class="button" href={`/sign-in?next=${next}`}>
              Sign in
            </a>
            {service.signUp && (
              <a class="button plain" href={`/sign-up?next=${next}`}>
                Make an account
              </a>
            )}
          </p>
        )}
      </div>
    </>
  );
}
