import type { ComponentChildren } from 'preact';

interface EntryProps {
  title: ComponentChildren;
  /** Beside the title. */
  more?: ComponentChildren;
  tools?: ComponentChildren;
  children: ComponentChildren;
}

/** One of a list that takes more than a row of a table. */
export const Entry = ({ title, more, tools, children }: EntryProps) => (
  <article class="entry">
    <header>
      <h3>
        {title} <span class="quiet">{more}</span>
      </h3>
      <span class="tools">{tools}</span>
    </header>
    {children}
  </article>
);
