import { useLayoutEffect, useRef } from 'preact/hooks';

/** Opens a dialog over the page while it is rendered. The focus goes back to where it was. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    const before = document.activeElement as HTMLElement | null;
    current!.showModal();
    return () => {
      current?.close();
      if (before?.isConnected) before.focus();
    };
  }, []);
  return dialog;
}
