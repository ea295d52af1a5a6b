import type { ComponentChildren, ComponentType } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { forgetAnswers } from '../client/use-answer.js';
import { lazily } from '../parts/lazily.js';
import { ActionFault, Waiting } from '../parts/states.js';
import { type Place, places, purposes } from '../places.js';
import { PageHead } from '../parts/page.js';
import { SignInLinks } from './header.js';
import { type PageProps, route } from './route.js';
import { isOpen, isSessionUnknown, loadSession, session } from './session.js';

/** The file of a page exports its component alone. */
type PageModule = Readonly<Record<string, ComponentType<PageProps>>>;

const headed = (place: Place, content: ComponentChildren) => (
  <>
    <PageHead title={place.title} />
    {content}
  </>
);

const waiting = (place: Place) => headed(place, <Waiting rem={16} class="panel" />);

const pages = new Map(
  places.map((place) => {
    const load = async () =>
      Object.values((await import(`../pages/${place.file}-page.tsx`)) as PageModule)[0];
    return [place, lazily(load, waiting(place))];
  }),
);

/** Loads the file of a page, so that it can be drawn at once; throws where that fails. */
export const loadPage = async (place: Place | null): Promise<unknown> => place && pages.get(place)!.load();

/** A page, or that it failed: what is wrong with one of them leaves the rest of the application. */
function WholePage({ place, ...props }: PageProps & { place: Place }) {
  const [error, reset] = useErrorBoundary((fault: unknown) => reportError(fault)) as [unknown, () => void];
  const Page = pages.get(place)!;
  if (!error) return <Page {...props} />;
  const again = () => {
    forgetAnswers();
    reset();
  };
  return headed(place, <ActionFault error={{ message: 'This page could not be shown' }} again={again} />);
}

/** The page at the reader's place, loaded when it is first opened; visitors at a page for users read what it is for. */
export function ShownPage() {
  const { place, params, query, path } = route.value;
  if (!place) return <PageHead key={path} title="There is no such page" />;
  if (isOpen(place)) {
    return <WholePage key={path} place={place} params={params} query={query} />;
  }
  if (session.value) return headed(place, <Invitation purpose={purposes[place.file]} />);
  if (!isSessionUnknown.value) return waiting(place);
  const error = { message: 'The service did not say whether you are signed in' };
  return headed(place, <ActionFault error={error} again={() => void loadSession()} />);
}

/** What visitors see at a page for others. */
const Invitation = ({ purpose }: { purpose: string | undefined }) => (
  <div class="panel text">
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
