import { useState } from 'preact/hooks';
import type { RouteInput, RouteName, RoutePayload } from '../client/routes.js';
import { useAction } from '../client/use-action.js';
import { FormDialog } from './form-dialog.js';

interface AskedActionProps<R extends RouteName> {
  route: R;
  input: RouteInput<R>;
  verb: string;
  /** The name of the button, with what it acts on. */
  label: string;
  question: string;
  onDone: (payload: RoutePayload<R>) => void;
}

/** A button that asks once and then acts. */
export function AskedAction<R extends RouteName>({
  route,
  input,
  verb,
  label,
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
      <button type="button" class="plain small" aria-label={label} onClick={() => setAsking(true)}>
        {verb}
      </button>
      {isAsking && (
        <FormDialog
          title={label}
          isDanger
          {...{ verb, action }}
          onSend={send}
          onClose={() => setAsking(false)}
        >
          <p>{question}</p>
        </FormDialog>
      )}
    </>
  );
}
