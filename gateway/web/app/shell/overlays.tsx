import { useEffect, useState } from 'preact/hooks';
import { isUnauthorized } from '../client/ask.js';
import { Dialog } from '../parts/dialogs.js';
import { FigureList } from '../parts/lists.js';
import { route } from './route.js';
import { hasEnded } from './session.js';

const keys = [
  ['/', 'to the field that finds on this page'],
  ['?', 'this list'],
  ['Esc', 'closes what lies over the page'],
  ['← →', 'on a chart: the candle before and after, read out'],
  ['+ −', 'on a chart: nearer, further'],
  ['Home End', 'on a chart: the first and the newest candle'],
] as const;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]') !== null;

/** Closes the menus that are open: by Esc, by a press elsewhere, and once a link of theirs is followed. */
function closeMenus({ type, target }: Event): void {
  const isKey = type === 'keydown';
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
    const isWithin = target instanceof Element && menu.contains(target);
    if (!isKey && isWithin && !target.closest('a')) continue;
    menu.open = false;
    if (isKey && isWithin) menu.querySelector('summary')!.focus();
  }
}

/** Listens to the keys of every page, and lists them. */
export function KeyHelp() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // A dialog over the page goes first.
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) closeMenus(event);
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?') setOpen(true);
      if (event.key !== '/') return;
      const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
      if (!field) return;
      event.preventDefault();
      field.focus();
    };
    document.addEventListener('keydown', listen);
    document.addEventListener('click', closeMenus);
    return () => {
      document.removeEventListener('keydown', listen);
      document.removeEventListener('click', closeMenus);
    };
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog title="Keys" onClose={() => setOpen(false)}>
      <FigureList rows={keys.map(([key, what]) => [<kbd>{key}</kbd>, what, ''])} />
    </Dialog>
  );
}

/** Lies over the page when the session has ended; the page stays beneath. */
export function EndedSession() {
  if (!hasEnded.value) return null;
  const next = encodeURIComponent(route.value.path + location.search);
  return (
    <Dialog title="Your session has ended" onClose={() => void (isUnauthorized.value = false)}>
      <p>Sign in again in the tab that opens, then come back to this one: what you have typed stays here.</p>
      <p class="actions">
        <a class="button" target="_blank" href={`/sign-in?next=${next}`}>
          Sign in
        </a>
      </p>
    </Dialog>
  );
}
