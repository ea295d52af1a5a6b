import type { ComponentChildren } from 'preact';
import type { RouteInput, RouteName, RoutePayload } from '../client/routes.js';
import { useAction } from '../client/use-action.js';
import { ActionFault, Section } from './page.js';

interface LaterSectionProps<R extends RouteName> {
  title: string;
  /** What it would show. */
  purpose: string;
  route: R;
  input: RouteInput<R>;
  children: (payload: RoutePayload<R>) => ComponentChildren;
}

/** A part of a page that takes long to compute, and is when the reader asks for it. */
export function LaterSection<R extends RouteName>({
  title,
  purpose,
  route,
  input,
  children,
}: LaterSectionProps<R>) {
  const { run, done, isRunning, error } = useAction(route);
  if (done) return <Section title={title}>{children(done)}</Section>;
  return (
    <Section
      title={title}
      tools={
        <button type="button" class="plain small" disabled={isRunning} onClick={() => run(input)}>
          {isRunning ? 'Computing…' : 'Show'}
        </button>
      }
    >
      <p class="quiet">{purpose}</p>
      <ActionFault error={error} />
    </Section>
  );
}
