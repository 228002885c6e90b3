/** @jsxImportSource preact */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type GuestApi, GuestError, type Opened, type Share } from './api.ts';
import { errorText } from './errors.ts';
import { GalleryPage } from './GalleryPage.tsx';
import { Notice, PasswordScreen } from './screens.tsx';
import { FIRST, type Page } from './use-gallery.ts';
import { words } from './words.ts';

type State =
  | { readonly kind: 'loading' | 'password' | 'gone' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'open'; readonly share: Share; readonly name: string | null; readonly first: Page };

/** The page of a link: what it shows depends on what the service says about it. */
export function App({ api }: { readonly api: GuestApi }) {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const load = useCallback(
    async (entered?: Opened) => {
      try {
        // Together: one round trip less on a slow line. Who has entered has opened the link.
        const [{ share, guest }, first] = await Promise.all([entered ?? api.open(), api.media(null, FIRST)]);
        document.title = share.name;
        setState({ kind: 'open', share, name: guest.name, first });
      } catch (error) {
        setState(stateAfter(error));
      }
    },
    [api],
  );
  useEffect(() => {
    api.onLocked = () => setState({ kind: 'password' });
    void load();
  }, [api, load]);

  switch (state.kind) {
    case 'loading':
      return (
        <main class="message" aria-busy="true">
          <p role="status" class="dimmed">
            {words.loading}…
          </p>
        </main>
      );
    case 'password':
      return <PasswordScreen api={api} onOpen={load} />;
    case 'gone':
      return <Notice title={words.gone} hint={words.goneHint} />;
    case 'failed':
      return <Notice title={words.failed} hint={errorText(state.error)} action={words.retry} onAction={() => load()} />;
    case 'open':
      return <GalleryPage api={api} share={state.share} name={state.name} first={state.first} />;
  }
}

function stateAfter(error: unknown): State {
  if (error instanceof GuestError && error.code === 'share_password_required') return { kind: 'password' };
  if (error instanceof GuestError && error.status === 404) return { kind: 'gone' };
  return { kind: 'failed', error };
}
