import type { ComponentChildren } from 'preact';

interface FiguresProps {
  /** What it is, more of that, and its figure. */
  rows: readonly (readonly [name: ComponentChildren, more: ComponentChildren, figure: ComponentChildren])[];
}

/** Figures under one another, each with its name. */
export const Figures = ({ rows }: FiguresProps) => (
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
