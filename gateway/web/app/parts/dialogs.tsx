import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { AskOptions } from '../client/ask.js';
import type { RouteInput, RouteName, RoutePayload } from '../client/routes.js';
import { useAction } from '../client/use-action.js';
import { Button } from './controls.js';
import { InputFields, firstValues, type FieldSpec, type Typed } from './fields.js';
import { ActionFault, fieldFault } from './page.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A dialog over the page. Esc closes it, and the focus goes back to where it came from. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button class="plain" onClick={() => ref.current?.close()}>
          Close
        </Button>
      </header>
      {children}
    </dialog>
  );
}

type FromTyped<R extends RouteName> = (typed: Typed) => RouteInput<R>;

interface FormDialogProps<R extends RouteName> {
  title: string;
  /** The word on the button that does it. */
  verb: string;
  /** Whether something is ordered, closed or deleted. */
  isDanger?: boolean;
  route: R;
  fields?: readonly FieldSpec[];
  /** What is sent, or a function that makes it from the typed values. */
  input: RouteInput<R> | FromTyped<R>;
  headers?: AskOptions['headers'];
  onDone?: ((payload: RoutePayload<R>) => void) | undefined;
  onClose: () => void;
  /** What it touches: asset, amount, exchange. */
  children?: ComponentChildren;
}

/** Asks once before something is sent, which can't be sent twice, and closes once it is done. */
export function FormDialog<R extends RouteName>(props: FormDialogProps<R>) {
  const {
    title,
    verb,
    isDanger = !props.fields,
    route,
    fields = [],
    input,
    headers,
    onDone,
    onClose,
    children,
  } = props;
  const [typed, setTyped] = useState(() => firstValues(fields));
  const { run, isRunning, error } = useAction(route);
  const send = (event: Event) => {
    event.preventDefault();
    const done = (payload: RoutePayload<R>) => {
      onClose();
      onDone?.(payload);
    };
    run(typeof input === 'function' ? (input as FromTyped<R>)(typed) : input, done, { headers });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={send}>
        {children}
        <InputFields
          fields={fields}
          values={typed}
          onChange={setTyped}
          faultOf={(name) => fieldFault(error, name)}
        />
        <p class="actions">
          <button type="submit" class={isDanger ? 'danger' : undefined} disabled={isRunning}>
            {verb}
          </button>
        </p>
        <ActionFault error={error} />
      </form>
    </Dialog>
  );
}

interface DialogButtonProps {
  verb: string;
  /** The name of the button, with what it acts on; default: `verb`. */
  label?: string;
  class?: string | undefined;
  /** Draws what opens, which is told how to close. */
  children: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export function DialogButton({ verb, label = verb, class: kind, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button class={kind} aria-label={label} onClick={() => setOpen(true)}>
        {verb}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

interface AskedActionProps<R extends RouteName>
  extends
    Omit<DialogButtonProps, 'children'>,
    Omit<FormDialogProps<R>, 'title' | 'verb' | 'onClose' | 'children'> {
  /** The title of the dialog; default: the name of the button. */
  title?: string;
  /** The word that does it, once it was asked; default: `verb`. */
  verbNow?: string;
  question?: ComponentChildren;
}

/** A button that asks once and then acts. */
export function AskedAction<R extends RouteName>(props: AskedActionProps<R>) {
  const { verb, label = verb, title = label, verbNow = verb, class: kind, question, ...sent } = props;
  return (
    <DialogButton {...{ verb, label }} class={kind}>
      {(close) => (
        <FormDialog {...sent} title={title} verb={verbNow} onClose={close}>
          {question && <p>{question}</p>}
        </FormDialog>
      )}
    </DialogButton>
  );
}
