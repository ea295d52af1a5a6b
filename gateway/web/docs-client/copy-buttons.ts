const shownMs = 1_500;

/** Gives every example a button that copies it. Browsers offer the clipboard only to pages over https and of this machine. */
export function addCopyButtons(): void {
  if (!('clipboard' in navigator)) return;
  for (const example of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(example, button));
    // A screen reader tells that the text was copied.
    button.setAttribute('aria-live', 'polite');
    const box = document.createElement('div');
    box.className = 'example';
    example.replaceWith(box);
    box.append(example, button);
  }
}

async function copy(example: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const text = example.textContent;
  button.textContent = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not allowed',
  );
  setTimeout(() => (button.textContent = 'Copy'), shownMs);
}
