import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RouteInput, RouteName, RoutePayload } from '../client/routes.js';
import { useAction } from '../client/use-action.js';
import { Button } from './controls.js';
import { column, type TableColumn } from './data-table.js';
import { InputFields, firstValues, type FieldSpec, givenOf, type Typed } from './fields.js';
import { ActionFault } from './states.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A dialog over the page. However it ends, the focus goes back to where it came from. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // At once: what is typed next belongs to it.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog ref={ref} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button class="plain" onClick={() => ref.current?.close()}>
          Back
        </Button>
      </header>
      {children}
    </dialog>
  );
}

interface DialogButtonProps extends Pick<ButtonHTMLAttributes, 'class' | 'disabled'> {
  verb: string;
  /** The name of the button, with what it acts on; default: `verb`. */
  label?: string | undefined;
  /** The id of a form that it stands for: Enter in a field of it opens the dialog, too. */
  form?: string | undefined;
  /** Draws what opens, which is told how to close. */
  children: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export function DialogButton({ verb, label = verb, children, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const type = button.form === undefined ? 'button' : 'submit';
  return (
    <>
      <Button {...button} type={type} aria-label={label} onClick={() => setOpen(true)}>
        {verb}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

type FromTyped<R extends RouteName> = (typed: Typed) => RouteInput<R>;

interface AskedProps<R extends RouteName> extends Pick<DialogButtonProps, 'verb' | 'label'> {
  /** The title of the dialog; default: the name of the button. */
  title?: string;
  /** The word that does it, once it was asked, or a function that makes it from the typed values; default: `verb`. */
  verbNow?: string | ((typed: Typed) => string);
  /** Whether something is ordered, closed or deleted; default: where no field is asked for. */
  isDanger?: boolean;
  /** What it touches: asset, amount, exchange. */
  question?: ComponentChildren;
  fields?: readonly FieldSpec[];
  route: R;
  /** What is sent, or a function that makes it from the typed values. */
  input: RouteInput<R> | FromTyped<R>;
  onDone?: (payload: RoutePayload<R>) => void;
}

/** A button that asks once and then acts. */
export const AskedAction = <R extends RouteName>({
  class: kind,
  disabled,
  form,
  ...asked
}: AskedProps<R> & Omit<DialogButtonProps, 'children'>) => (
  <DialogButton {...{ class: kind, disabled, form }} verb={asked.verb} label={asked.label}>
    {(close) => <AskDialog {...asked} onClose={close} />}
  </DialogButton>
);

/** The last column of a table: what can be done with each row. */
export const actionColumn = <Row, R extends RouteName>(
  title: string,
  asked: (row: Row) => AskedProps<R>,
): TableColumn<Row> => column.word(title, (row) => <AskedAction {...asked(row)} />, 'end');

/** The second click of a double click, of which the first may have opened the dialog, decides nothing. */
const once = (click: MouseEvent) => click.detail > 1 && click.preventDefault();

/** Asks once before something is sent, which can't be sent twice, and closes once it is done. */
function AskDialog<R extends RouteName>(props: AskedProps<R> & Pick<DialogProps, 'onClose'>) {
  const { verb, label = verb, verbNow = verb, fields = [], input, onClose } = props;
  const isDanger = props.isDanger ?? fields.length === 0;
  const [typed, setTyped] = useState(() => firstValues(fields));
  const { run, isRunning, error } = useAction(props.route);
  const given = typeof input === 'function' ? (input as FromTyped<R>)(givenOf(fields, typed)) : input;
  // What is sent again after a fault is the same for the service, unless it was changed.
  const key = useMemo(() => crypto.getRandomValues(new Uint32Array(4)).join('-'), [JSON.stringify(given)]);
  const send = (event: Event) => {
    event.preventDefault();
    const done = (payload: RoutePayload<R>) => {
      onClose();
      props.onDone?.(payload);
    };
    run(given, done, { headers: { 'idempotency-key': key } });
  };
  return (
    <Dialog title={props.title ?? label} onClose={onClose}>
      <form onSubmit={send}>
        {props.question && <div class="question">{props.question}</div>}
        <InputFields fields={fields} values={typed} onChange={setTyped} error={error} />
        <p class="actions">
          <button
            type="submit"
            class={isDanger ? 'danger' : undefined}
            aria-disabled={isRunning}
            onClick={once}
          >
            {typeof verbNow === 'function' ? verbNow(typed) : verbNow}
          </button>
        </p>
        <ActionFault error={error} />
      </form>
    </Dialog>
  );
}
