import type { ComponentChildren } from 'preact';

interface FigureListProps {
  /** What it is, more of that, and its figure. */
  rows: readonly (readonly [name: ComponentChildren, more: ComponentChildren, figure: ComponentChildren])[];
}

/** Figures under one another, each with its name. */
export const FigureList = ({ rows }: FigureListProps) => (
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
