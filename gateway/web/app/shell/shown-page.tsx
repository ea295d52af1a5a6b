import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { NewVersion, Stopped } from '../parts/lazily.js';
import { PageHead } from '../parts/page-head.js';
import { SignInLinks } from './main-links.js';
import { type ReaderRoute, route } from './route.js';
import { isOpen, isSessionUnknown, loadSession, session } from './session.js';

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
  const instead = (content: ComponentChildren) => (
    <>
      <PageHead title={place.title} />
      {content}
    </>
  );
  const waiting = () =>
    instead(<div class="panel loading" aria-busy="true" style={{ minHeight: '16rem' }} />);
  if (!isOpen(place)) {
    if (isSessionUnknown.value)
      return instead(
        <Stopped
          text="The service did not say whether you are signed in."
          verb="Try again"
          act={loadSession}
        />,
      );
    return session.value ? instead(<Invitation purpose={place.purpose} />) : waiting();
  }
  if (failed === file) return <NewVersion />;
  const Page = loaded.get(file);
  return Page ? <Page key={path} params={params} query={query} /> : waiting();
}

/** What visitors see at a page for others. */
const Invitation = ({ purpose }: { purpose: string | undefined }) => (
  <div class="panel invitation">
    <p>{purpose}</p>
    {session.value?.user ? (
      <p class="quiet">Your account has no access to this page.</p>
    ) : (
      <p class="actions">
        <SignInLinks signIn="button" signUp="button plain" />
      </p>
    )}
  </div>
);
