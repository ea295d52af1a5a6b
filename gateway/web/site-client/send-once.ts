/** How long a form waits for its answer. Without a limit it could not be sent again after the reader has stopped loading. */
const longestAnswerMs = 10_000;

/** A second click on the button of a form that changes something sends nothing before the answer is there: the first one counts. */
export function sendFormsOnce(): void {
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
