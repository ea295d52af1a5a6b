import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ShownAnswer } from '../client/use-answer.js';
import { ActionFault } from './action-fault.js';
import { Section, type SectionProps } from './section.js';
import { Time } from './time.js';

interface PanelProps<T> extends Pick<SectionProps, 'title' | 'tools' | 'class'> {
  answer: ShownAnswer<T>;
  /** The content, drawn from the payload; a string is said instead of it, where there is nothing yet. */
  children: (payload: T) => ComponentChildren;
  /** How high the panel is while it loads, in rem. */
  size?: number;
}

const longestSpinMs = 15_000;

/** A part of a page with an answer of its own: loading, failed, old or shown. The rest of the page does not depend on it. */
export function Panel<T>({ answer, children, size = 8, ...section }: PanelProps<T>) {
  const { data, isLoading } = answer;
  return (
    <Section {...section} aria-busy={isLoading && data === null}>
      {data !== null && children(data)}
      {data === null && isLoading && <Loading size={size} />}
      <Failed answer={answer} />
    </Section>
  );
}

function Loading({ size }: { size: number }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longestSpinMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="loading" style={{ minHeight: `${size}rem` }}>
      {isLong ? (
        <p>This takes longer than usual. It will be shown as soon as it is here.</p>
      ) : (
        <span class="unseen">Loading</span>
      )}
    </div>
  );
}

function Failed<T>({ answer: { data, error, at, again } }: { answer: ShownAnswer<T> }) {
  return (
    <ActionFault error={error}>
      {data !== null && (
        <p>
          Shown as of <Time at={at} to="second" />.
        </p>
      )}
      <button type="button" onClick={again}>
        Try again
      </button>
    </ActionFault>
  );
}
