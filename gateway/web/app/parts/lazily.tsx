import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface Loaded<Props> {
  Part: ComponentType<Props> | null;
  isFailed: boolean;
}

/** A component that is loaded when it is first shown; `rem` is its height until then. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  rem: number,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return (props: Props) => {
    const [{ Part, isFailed }, set] = useState<Loaded<Props>>({ Part: loaded, isFailed: false });
    useEffect(() => {
      if (Part) return;
      load().then(
        (part) => {
          loaded = part;
          set({ Part: part, isFailed: false });
        },
        () => set({ Part: null, isFailed: true }),
      );
    }, []);
    if (Part) return <Part {...props} />;
    if (isFailed) return <NewVersion />;
    return <div class="loading" aria-busy="true" style={{ minHeight: `${rem}rem` }} />;
  };
}

/** Said where a file of the application can't be loaded: after an update its old files are gone. */
export function NewVersion() {
  return (
    <div class="failed" role="alert">
      <p>This part could not be loaded. The application may have been updated, or this browser is offline.</p>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}
