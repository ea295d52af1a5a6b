import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component that is loaded when it is first shown, or before with `load`; `waiting` stands in its place until then. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ComponentChildren,
) {
  let Part: ComponentType<Props> | null = null;
  const keep = async () => void (Part ??= await load());
  const Lazy = (props: Props) => {
    const [state, set] = useState<'loading' | 'loaded' | 'failed'>('loading');
    useEffect(() => {
      if (!Part)
        keep().then(
          () => set('loaded'),
          () => set('failed'),
        );
    }, []);
    if (Part) return <Part {...props} />;
    return state === 'failed' ? <NewVersion /> : <>{waiting}</>;
  };
  return Object.assign(Lazy, { load: keep });
}

/** A part that comes later, so many rem high. */
export const Waiting = ({ rem, class: kind = '' }: { rem: number; class?: string }) => (
  <div class={`loading ${kind}`} aria-busy="true" style={{ minHeight: `${rem}rem` }} />
);

/** Said where a file of the application can't be loaded: after an update its old files are gone. */
const NewVersion = () => (
  <Stopped
    text="This part could not be loaded. The application may have been updated, or this browser is offline."
    verb="Reload"
    act={() => location.reload()}
  />
);

/** Says why nothing is shown, with a button for what can be done. */
export const Stopped = ({ text, verb, act }: { text: string; verb: string; act: () => unknown }) => (
  <div class="failed" role="alert">
    <p>{text}</p>
    <button type="button" onClick={() => void act()}>
      {verb}
    </button>
  </div>
);
