const shownMs = 1_500;
const key = 'docs-language';

/** Gives every example a head line: its languages, of which the chosen one is remembered, and a button that copies it. */
export function addExampleHeads(): void {
  const boxes = [...document.querySelectorAll('pre')].flatMap((example) => boxOf(example) ?? []);
  const choose = (language: string) => {
    for (const box of boxes) show(box, language);
  };
  for (const box of boxes) {
    const head = document.createElement('div');
    head.className = 'head';
    const languages = examplesIn(box).flatMap(({ dataset: { language } }) => language ?? []);
    if (languages.length > 1) {
      for (const language of languages) {
        const button = buttonOf(language, () => {
          localStorage.setItem(key, language);
          choose(language);
        });
        button.dataset.language = language;
        head.append(button);
      }
    }
    const copying = copyButton(box);
    if (copying) head.append(copying);
    if (head.childElementCount > 0) box.prepend(head);
  }
  choose(localStorage.getItem(key) ?? 'curl');
}

/** The box around an example, made where there is none; null for all but the first in a box. */
function boxOf(example: HTMLElement): HTMLElement | null {
  const known = example.closest<HTMLElement>('.example');
  if (known) return known.querySelector('pre') === example ? known : null;
  const box = document.createElement('div');
  box.className = 'example';
  example.replaceWith(box);
  box.append(example);
  return box;
}

const examplesIn = (box: HTMLElement): HTMLElement[] => [...box.querySelectorAll<HTMLElement>('pre')];

/** Shows the example in this language, where the box has it. */
function show(box: HTMLElement, language: string): void {
  const examples = examplesIn(box);
  if (examples.some(({ dataset }) => dataset.language === language))
    for (const each of examples) each.hidden = each.dataset.language !== language;
  const shown = examples.find(({ hidden }) => !hidden)?.dataset.language;
  for (const button of box.querySelectorAll<HTMLElement>('.head [data-language]'))
    button.setAttribute('aria-pressed', String(button.dataset.language === shown));
}

function buttonOf(text: string, press: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', press);
  return button;
}

/** Browsers offer the clipboard only to pages over https and of this machine. */
function copyButton(box: HTMLElement): HTMLButtonElement | null {
  if (!('clipboard' in navigator)) return null;
  const button = buttonOf('Copy', () => void copy());
  button.className = 'copy';
  // A screen reader tells that the text was copied.
  button.setAttribute('aria-live', 'polite');
  const copy = async () => {
    const { textContent } = examplesIn(box).find(({ hidden }) => !hidden)!;
    button.textContent = await navigator.clipboard.writeText(textContent).then(
      () => 'Copied',
      () => 'Not allowed',
    );
    setTimeout(() => (button.textContent = 'Copy'), shownMs);
  };
  return button;
}
