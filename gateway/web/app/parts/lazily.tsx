import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component that is loaded when it is first shown; `rem` is its height until then. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  rem: number,
): ComponentType<Props> {
  let Part: ComponentType<Props> | null = null;
  return (props: Props) => {
    const [state, set] = useState<'loading' | 'loaded' | 'failed'>('loading');
    useEffect(() => {
      if (Part) return;
      load().then(
        (part) => {
          Part = part;
          set('loaded');
        },
        () => set('failed'),
      );
    }, []);
    if (Part) return <Part {...props} />;
    if (state === 'failed') return <NewVersion />;
    return <div class="loading" aria-busy="true" style={{ minHeight: `${rem}rem` }} />;
  };
}

/** Said where a file of the application can't be loaded: after an update its old files are gone. */
export const NewVersion = () => (
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
