export type Content = string | number | readonly (Node | string)[];

/** The element of the page with this id. Throws if the page has none. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element with id "${id}"`);
  return element;
}

/** A new element with its text or children. Text is never read as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  content: Content = '',
  { className = '', ...attributes }: Record<string, string | number> = {},
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== '') made.className = String(className);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...(typeof content === 'object' ? content : [String(content)]));
  return made;
}
