const shownMs = 2_000;

/**
 * Gives each secret that is shown once, an element with `data-copy`, a button that copies it. Browsers offer the clipboard only to
 * pages over https and of this machine.
 */
export function addSecretCopying(): void {
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
