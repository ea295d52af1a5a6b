import type { ComponentChildren } from 'preact';
import { sentence } from './formats.js';
import { Time } from './marks.js';

/** What it is, more of that, and its figure. */
type FigureRow = readonly [name: ComponentChildren, more: ComponentChildren, figure: ComponentChildren];

/** Figures under one another, each with its name. */
export const FigureList = ({ rows }: { rows: readonly FigureRow[] }) => (
  <dl class="figures">
    {rows.map(([name, more, figure], n) => (
      <div key={n}>
        <dt>
          {name} <span class="quiet">{more}</span>
        </dt>
        <dd class="figure">{figure}</dd>
      </div>
    ))}
  </dl>
);

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

/** Sentences under one another; what is unknown is left out. */
export const Lines = ({ of, class: kind }: { of: readonly (string | null | undefined)[]; class?: string }) =>
  of.map((text) => text && <p class={kind}>{sentence(text)}</p>);

/** Reasons, each after a mark and the word that it stands for. */
export const Evidence = ({ rows }: { rows: readonly (readonly ComponentChildren[])[] }) => (
  <ul class="evidence">
    {rows.map(([mark, word, ...reason], n) => (
      <li key={n}>
        <span aria-hidden="true">{mark}</span> <span class="unseen">{word}: </span>
        {reason}
      </li>
    ))}
  </ul>
);

/** What happened when, the newest first; new lines are read out. */
export const Timeline = ({ steps }: { steps: readonly (readonly (string | null)[])[] }) => (
  <ol class="timeline" aria-label="Timeline" aria-live="polite" aria-relevant="additions">
    {steps.toReversed().map(([at, ...text], n) => (
      <li key={steps.length - n}>
        <Time at={at} to="second" /> {text}
      </li>
    ))}
  </ol>
);
