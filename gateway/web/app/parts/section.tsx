import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface SectionProps {
  title: string;
  /** Controls beside the title. */
  tools?: ComponentChildren;
  children?: ComponentChildren;
  class?: string;
  'aria-busy'?: boolean;
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
