import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { createStore, useStore } from '../state/index.ts';
import { loadPart } from './load-part.ts';
import { notifyError } from './notices.tsx';

/** True once the first screen has its data, so that hidden parts may be loaded. */
export const isQuiet = createStore(false);

/**
 * A part that is hidden at first, such as a dialog. It is loaded after the first screen, or as soon as it is opened.
 *
 * @param opener the prop that is null or false while the part is hidden
 */
export function later<Props extends object>(
  opener: keyof Props,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Later(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [isMounted, setMounted] = useState(Part !== null);
    const isOpen = Boolean(props[opener]);
    const isDue = useStore(isQuiet) || isOpen;
    const onFailure = useEffectEvent((error: unknown) => {
      if (!isOpen) return;
      notifyError(error);
      (props as { readonly onClose?: () => void }).onClose?.();
    });
    useEffect(() => {
      if (Part) setMounted(true);
      else if (isDue) loadPart(load).then((part) => setPart(() => (loaded = part)), onFailure);
    }, [Part, isDue, isOpen]);
    // Hidden at first: on opening, a dialog notes where the focus was.
    return Part && <Part {...props} {...(!isMounted && { [opener]: null })} />;
  };
}
