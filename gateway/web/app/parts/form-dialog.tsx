import type { ComponentChildren } from 'preact';
import type { AskOptions } from '../client/ask.js';
import type { RouteInput, RouteName, RoutePayload } from '../client/routes.js';
import { useAction } from '../client/use-action.js';
import { ActionFault, fieldFault } from './action-fault.js';
import { Dialog } from './dialog.js';

interface FormDialogProps<R extends RouteName> {
  title: string;
  /** The word on the button that does it. */
  verb: string;
  /** Whether something is ordered, closed or deleted. */
  isDanger?: boolean;
  route: R;
  /** What is sent: what has been typed until then. */
  input: RouteInput<R>;
  headers?: AskOptions['headers'];
  onDone: (payload: RoutePayload<R>) => void;
  onClose: () => void;
  /** What it asks for, told the fault of each field; or what it touches: asset, amount, exchange. */
  children: ComponentChildren | ((fault: (field: string) => string | undefined) => ComponentChildren);
}

/** Asks once before something is sent, which can't be sent twice, and closes once it is done. */
export function FormDialog<R extends RouteName>(props: FormDialogProps<R>) {
  const { title, verb, isDanger = false, route, input, headers, onDone, onClose, children } = props;
  const action = useAction(route);
  const send = (event: Event) => {
    event.preventDefault();
    action.run(
      input,
      (payload) => {
        onClose();
        onDone(payload);
      },
      headers,
    );
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={send}>
        {typeof children === 'function' ? children((field) => fieldFault(action.error, field)) : children}
        <p class="actions">
          <button type="submit" class={isDanger ? 'danger' : undefined} disabled={action.isRunning}>
            {verb}
          </button>
        </p>
        <ActionFault error={action.error} />
      </form>
    </Dialog>
  );
}
