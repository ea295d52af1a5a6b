import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RouteInput, RouteName, RoutePayload } from '../client/routes.js';
import { FormDialog } from './form-dialog.js';

interface AskedActionProps<R extends RouteName> {
  route: R;
  input: RouteInput<R>;
  verb: string;
  /** The word that does it, once it was asked; default: `verb`. */
  verbNow?: string;
  /** The name of the button, with what it acts on; default: `verb`. */
  label?: string;
  class?: string;
  question: ComponentChildren;
  onDone: (payload: RoutePayload<R>) => void;
}

/** A button that asks once and then acts. */
export function AskedAction<R extends RouteName>(props: AskedActionProps<R>) {
  const { verb, verbNow = verb, label = verb, class: kind = 'plain small', question, ...sent } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class={kind} aria-label={label} onClick={() => setAsking(true)}>
        {verb}
      </button>
      {isAsking && (
        <FormDialog title={label} isDanger verb={verbNow} {...sent} onClose={() => setAsking(false)}>
          <p>{question}</p>
        </FormDialog>
      )}
    </>
  );
}
