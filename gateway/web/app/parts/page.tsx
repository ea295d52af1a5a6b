import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ShownAnswer } from '../client/use-answer.js';
import { places } from '../places.js';
import { goQuery, hasMoved } from '../shell/route.js';
import { Time } from './marks.js';
import { ActionFault, Waiting } from './states.js';

interface PageHeadProps {
  title: string;
  /** The path of the page that it stands under. */
  under?: string | undefined;
  /** Beside the title. */
  children?: ComponentChildren;
  /** Controls at the right. */
  tools?: ComponentChildren;
}

/** The head of a page: its h1, which names the window and gets the focus when the reader comes from another page. */
export function PageHead({ title, under, children, tools }: PageHeadProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} – Tidemark`;
  }, [title]);
  useEffect(() => {
    if (hasMoved.peek()) ref.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      {under !== undefined && (
        <p class="path">
          <a href={under}>{places.find(({ path }) => path === under)?.title}</a> ›
        </p>
      )}
      <div class="page-head">
        <h1 ref={ref} tabIndex={-1}>
          {title}
        </h1>
        {children}
        {tools && <div class="tools">{tools}</div>}
      </div>
    </>
  );
}

interface SectionProps {
  title: string;
  /** Controls beside the title. */
  tools?: ComponentChildren;
  children?: ComponentChildren;
  class?: string;
  'aria-live'?: 'polite';
}

/** A part of a page under its own title. */
export function Section({ title, tools, children, class: kind = '', ...more }: SectionProps) {
  const id = useId();
  return (
    <section class={`panel ${kind}`} aria-labelledby={id} {...more}>
      <header>
        <h2 id={id}>{title}</h2>
        {tools}
      </header>
      {children}
    </section>
  );
}

export interface PanelProps<T> extends Pick<SectionProps, 'title' | 'tools' | 'class'> {
  answer: ShownAnswer<T>;
  /** The content, drawn from the payload; a string is said where there is nothing yet. */
  children?: (payload: T) => ComponentChildren;
  /** How high the panel is while it loads, in rem. */
  size?: number | undefined;
  /** What says in the address where a list goes on. */
  cursor?: string | undefined;
}

/** A part of a page with an answer of its own: loading, failed, old or shown. The rest of the page does not depend on it. */
export function Panel<T>({ answer, children, size = 8, cursor, ...section }: PanelProps<T>) {
  const { data, isLoading } = answer;
  const content = data !== null && children?.(data);
  return (
    <Section {...section}>
      {typeof content === 'string' ? <p class="empty">{content}</p> : content}
      {data === null && isLoading && <Waiting rem={size} />}
      <AnswerFault answer={answer} cursor={cursor} />
    </Section>
  );
}

/** Why there is no answer, or no newer one; nothing where there is. A list that has changed goes on at its start. */
export function AnswerFault({
  answer: { data, error, at, again },
  cursor = 'cursor',
}: Pick<PanelProps<unknown>, 'answer' | 'cursor'>) {
  const wayOut =
    error?.field === 'cursor' ? { verb: 'Newest', again: () => goQuery({ [cursor]: null }) } : { again };
  return (
    <ActionFault error={error} {...wayOut}>
      {data !== null && (
        <p>
          Shown as of <Time at={at} to="second" />.
        </p>
      )}
    </ActionFault>
  );
}

const restMs = 1_000;
const [longestRests, quietRests] = [6, 2];

/**
 * What lies below the first view, so many rem high: drawn and asked for when the reader comes to it, or once the first view was there for
 * two seconds. An answer that does not come holds it up for six.
 */
export function Below({ rem, children }: { rem: number; children: ComponentChildren }) {
  const [isWanted, setWanted] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const want = () => setWanted(true);
    const watcher = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && want());
    watcher.observe(place.current!);
    let [rests, quiet] = [0, 0];
    const timer = setInterval(() => {
      quiet = document.querySelector('[aria-busy=true]') ? 0 : quiet + 1;
      if (++rests === longestRests || quiet > quietRests) want();
    }, restMs);
    return () => {
      watcher.disconnect();
      clearInterval(timer);
    };
  }, []);
  return isWanted ? <>{children}</> : <div ref={place} style={{ minHeight: `${rem}rem` }} />;
}
