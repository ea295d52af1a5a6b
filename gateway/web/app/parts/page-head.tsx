import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { places } from '../places.js';
import { hasMoved } from '../shell/route.js';

interface PageHeadProps {
  title: string;
  /** The path of the page that it stands under. */
  under?: string | undefined;
  /** Beside the title. */
  children?: ComponentChildren;
  /** Controls at the right. */
  tools?: ComponentChildren;
}

/** The head of a page: its h1, which names the window and gets the focus when the reader comes from another page. */
export function PageHead({ title, under, children, tools }: PageHeadProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Tidemark`;
  }, [title]);
  useEffect(() => {
    if (hasMoved.peek()) ref.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      {under !== undefined && (
        <p class="path">
          <a href={under}>{places.find(({ path }) => path === under)?.title}</a> ›
        </p>
      )}
      <div class="page-head">
        <h1 ref={ref} tabIndex={-1}>
          {title}
        </h1>
        {children}
        {tools && <div class="tools">{tools}</div>}
      </div>
    </>
  );
}
