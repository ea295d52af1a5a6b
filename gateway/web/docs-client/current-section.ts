/** Marks the link to the section that is read, and keeps it in view within the contents. */
export function markCurrentSection(): void {
  const contents = document.querySelector('nav')!;
  const links = new Map(
    [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  );
  const sections = [...document.querySelectorAll<HTMLElement>('main section[id]')];
  const visible = new Set<Element>();
  let current: HTMLAnchorElement | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target);
        else visible.delete(target);
      }
      const first = sections.find((section) => visible.has(section));
      const link = first && links.get(first.id);
      if (!link || link === current) return;
      current?.removeAttribute('aria-current');
      current = link;
      link.setAttribute('aria-current', 'location');
      keepInView(contents, link);
    },
    // A section is read when it reaches the upper part of the window.
    { rootMargin: '-10% 0px -70% 0px' },
  );
  for (const section of sections) observer.observe(section);
}

/** Scrolls the contents alone: the page must not move. */
function keepInView(contents: HTMLElement, link: HTMLElement): void {
  const [box, place] = [contents.getBoundingClientRect(), link.getBoundingClientRect()];
  if (place.top >= box.top && place.bottom <= box.bottom) return;
  contents.scrollTop += place.top - box.top - box.height / 2;
}
