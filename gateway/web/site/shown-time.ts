import { html, type Html } from '../html.js';

/** A time as people read it, in UTC to the minute; `none` where there is none. */
export const shownTime = (iso: string | null, none = 'never'): Html =>
  iso === null
    ? html`${none}`
    : html`<time datetime="${iso}"
        ><span>${iso.slice(0, 10)}</span> <span>${iso.slice(11, 16)} UTC</span></time
      >`;
