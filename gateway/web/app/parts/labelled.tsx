import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface LabelledProps {
  label: string;
  /** What it means, under the label. */
  hint?: string | undefined;
  /** What is wrong with what it holds. */
  fault?: string | undefined;
  children: (attributes: {
    id: string;
    'aria-describedby'?: string;
    'aria-invalid'?: true;
  }) => ComponentChildren;
}

/** A field of a form with its label, and what is wrong with it at its place. */
export function Labelled({ label, hint, fault, children }: LabelledProps) {
  const id = useId();
  const said = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`]
    .filter(Boolean)
    .join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="quiet hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id,
        ...(said === '' ? {} : { 'aria-describedby': said }),
        ...(fault === undefined ? {} : { 'aria-invalid': true as const }),
      })}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          ✗ {fault}
        </p>
      )}
    </div>
  );
}
