import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RouteInput, RouteName, RoutePayload } from '../client/routes.js';
import { useAction } from '../client/use-action.js';
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
export function AskedAction<R extends RouteName>({
  route,
  input,
  verb,
  verbNow = verb,
  label = verb,
  class: kind = 'plain small',
  question,
  onDone,
}: AskedActionProps<R>) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction(route);
  const send = () =>
    action.run(input, (payload) => {
      setAsking(false);
      onDone(payload);
    });
  return (
    <>
      <button type="button" class={kind} aria-label={label} onClick={() => setAsking(true)}>
        {verb}
      </button>
      {isAsking && (
        <FormDialog
          title={label}
          isDanger
          verb={verbNow}
          action={action}
          onSend={send}
          onClose={() => setAsking(false)}
        >
          <p>{question}</p>
        </FormDialog>
      )}
    </>
  );
}
