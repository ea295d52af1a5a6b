const shownMs = 2_000;

/**
 * Gives each secret that is shown once, an element with `data-copy`, a button that copies it. Browsers offer the clipboard only to
 * pages over https and of this machine.
 */
function addSecretCopying(): void {
  if (!('clipboard' in navigator)) return;
  for (const secret of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'plain';
    button.textContent = 'Copy';
    const said = document.createElement('span');
    said.setAttribute('role', 'status');
    button.addEventListener('click', () => void copySecret(secret, said));
    secret.after(button, said);
  }
}

async function copySecret(secret: HTMLElement, said: HTMLElement): Promise<void> {
  said.textContent = await navigator.clipboard.writeText(secret.textContent.trim()).then(
    () => 'Copied',
    () => 'The browser does not allow copying: select the text instead',
  );
  setTimeout(() => (said.textContent = ''), shownMs);
}

/** How long a form waits for its answer. Without a limit it could not be sent again after the reader has stopped loading. */
const longestAnswerMs = 10_000;

/** A second click on the button of a form that changes something sends nothing before the answer is there: the first one counts. */
function sendFormsOnce(): void {
  const sent = new Set<HTMLFormElement>();
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    // A form that only asks may lead to a place on the same page, after which no `pageshow` comes.
    if (form.method !== 'post') return;
    if (sent.has(form)) return event.preventDefault();
    sent.add(form);
    setTimeout(() => sent.delete(form), longestAnswerMs);
  });
  // The page may come back from the history of the browser, or after a download.
  window.addEventListener('pageshow', () => sent.clear());
}

addSecretCopying();
sendFormsOnce();
