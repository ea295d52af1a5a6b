import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ActionFault } from './states.js';

const newVersion = {
  message:
    'This part could not be loaded. The application may have been updated, or this browser is offline.',
};

/** A component that is loaded when it is first shown, or before with `load`; `waiting` stands in its place until then. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ComponentChildren,
) {
  let Part: ComponentType<Props> | null = null;
  const keep = async () => void (Part ??= await load());
  const Lazy = (props: Props) => {
    const [state, set] = useState<'loading' | 'loaded' | 'failed'>(Part ? 'loaded' : 'loading');
    useEffect(() => {
      // It may have come since this was drawn.
      if (state === 'loading')
        keep().then(
          () => set('loaded'),
          () => set('failed'),
        );
    }, []);
    if (Part) return <Part {...props} />;
    if (state !== 'failed') return <>{waiting}</>;
    // After an update its old files are gone.
    return <ActionFault error={newVersion} again={() => location.reload()} verb="Reload" />;
  };
  return Object.assign(Lazy, { load: keep });
}
