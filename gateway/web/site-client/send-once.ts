/** A second click on the button of a form, before its answer is there, sends nothing: the first one counts. */
export function sendFormsOnce(): void {
  const sent = new Set<HTMLFormElement>();
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
  });
  // The page may come back from the history of the browser, or after a download.
  window.addEventListener('pageshow', () => sent.clear());
}
