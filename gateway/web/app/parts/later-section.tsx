import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { RouteInput, RouteName, RoutePayload } from '../client/routes.js';
import { useAnswer } from '../client/use-answer.js';
import { Button } from './controls.js';
import { Panel, Section } from './page.js';

interface LaterSectionProps<R extends RouteName> {
  title: string;
  /** What it would show. */
  purpose: string;
  route: R;
  input: RouteInput<R>;
  children: (payload: RoutePayload<R>) => ComponentChildren;
}

/** A part of a page that takes long to compute, and is when the reader asks for it. */
export function LaterSection<R extends RouteName>(props: LaterSectionProps<R>) {
  const { title, purpose, route, input, children } = props;
  const [isWanted, setWanted] = useState(false);
  const answer = useAnswer(route, isWanted ? input : null);
  if (isWanted) return <Panel {...{ title, answer, children }} />;
  return (
    <Section title={title} tools={<Button onClick={() => setWanted(true)}>Show</Button>}>
      <p class="quiet">{purpose}</p>
    </Section>
  );
}
