/** @jsxImportSource preact */
import { useMemo, useRef, useState } from 'preact/hooks';
import { nextUndecided } from '../screens/boards/review/decisions.ts';
import { type GuestApi, GuestError, type Share } from './api.ts';
import { errorText } from './errors.ts';
import { Grid } from './Grid.tsx';
import { type Guest, GuestContext } from './guest-context.ts';
import { Icon } from './icons.tsx';
import { NameDialog } from './NameDialog.tsx';
import { type Section, sectionsOf } from './sections.ts';
import { type Page, useGallery } from './use-gallery.ts';
import { useModal } from './use-modal.ts';
import { useOpenItem } from './use-open-item.ts';
import { Viewer } from './Viewer.tsx';
import { words } from './words.ts';

interface GalleryPageProps {
  readonly api: GuestApi;
  readonly share: Share;
  /** The guest's name, if it is known. */
  readonly name: string | null;
  readonly first: Page;
}

/** The shared items, and the open item over them. */
export function GalleryPage({ api, share, name, first }: GalleryPageProps) {
  const gallery = useGallery(api, first);
  const sections = useMemo(() => sectionsOf(share.folders, gallery.media), [share, gallery.media]);
  const media = useMemo(() => sections.flatMap((section) => section.media), [sections]);
  const [openId, open] = useOpenItem();
  const { guest, refusal, setRefusal, asking, answer } = useGuestOf(api, share, name);
  const next = nextUndecided(media, openId ?? 0);
  return (
    <GuestContext.Provider value={guest}>
      <Header guest={guest} media={media} isComplete={gallery.isComplete} onNext={next && (() => open(next.id))} />
      <main>
        {gallery.error !== null && (
          <div class="alert" role="alert">
            <p>{errorText(gallery.error)}</p>
            <button type="button" onClick={() => void gallery.again()}>
              {words.retry}
            </button>
          </div>
        )}
        <Jumps sections={sections} />
        {media.length > 0 && <Grid sections={sections} openId={openId} onOpen={open} />}
        {media.length === 0 && (
          <div class="message" role="status">
            <div>
              <h2>{words.empty}</h2>
              <p class="dimmed">{words.emptyHint}</p>
            </div>
          </div>
        )}
      </main>
      {openId !== null && media.some(({ id }) => id === openId) && (
        <Viewer media={media} openId={openId} onOpen={open} onChange={gallery.change} />
      )}
      {refusal !== null && <Refusal error={refusal} onClose={() => setRefusal(null)} />}
      {asking && <NameDialog onDone={answer} />}
    </GuestContext.Provider>
  );
}

/** The guest, who is asked for a name before the first thing is written, and why the last work was refused. */
function useGuestOf(api: GuestApi, share: Share, name: string | null) {
  const [asking, setAsking] = useState<((isKnown: boolean) => void) | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const isNamed = useRef(name !== null);
  const guest = useMemo((): Guest => {
    const identify = () => new Promise<boolean>((resolve) => setAsking(() => resolve));
    const named = async <T,>(work: () => Promise<T>): Promise<T | undefined> => {
      if (!isNamed.current && !(await identify())) return undefined;
      try {
        return await work();
      } catch (error) {
        // The browser has lost the cookie.
        if (!(error instanceof GuestError) || error.code !== 'guest_name_required') throw error;
        isNamed.current = false;
        return named(work);
      }
    };
    const save: Guest['save'] = (work) => {
      setRefusal(null);
      void work({ api }).catch(setRefusal);
    };
    return { api, share, may: (right) => share.allow.includes(right), named, save };
  }, [api, share]);
  const answer = (isKnown: boolean) => {
    isNamed.current ||= isKnown;
    asking?.(isKnown);
    setAsking(null);
  };
  return { guest, refusal, setRefusal, asking, answer };
}

/** Says why something was refused, over whatever is open. */
function Refusal({ error, onClose }: { readonly error: unknown; readonly onClose: () => void }) {
  const dialog = useModal();
  return (
    <dialog ref={dialog} class="card" role="alertdialog" aria-label={words.failed} onClose={onClose}>
      <p>{errorText(error)}</p>
      <button type="button" class="main" onClick={onClose}>
        {words.close}
      </button>
    </dialog>
  );
}

interface HeaderProps {
  readonly guest: Guest;
  readonly media: readonly { readonly decision: string }[];
  readonly isComplete: boolean;
  /** Opens the next undecided item; null if there is none. */
  readonly onNext: (() => void) | null;
}

function Header({ guest: { share, may, save, named }, media, isComplete, onNext }: HeaderProps) {
  const decided = media.filter(({ decision }) => decision !== 'none').length;
  /** The decisions when the makers were told; later ones can be told again. */
  const [doneAt, setDoneAt] = useState<number | null>(null);
  const finish = () =>
    save(async ({ api }) => {
      if (await named(() => api.done())) setDoneAt(decided);
    });
  const facts = [words.items(media.length), share.expires_at && words.openUntil(dayOf(share.expires_at))];
  return (
    <header>
      <div class="head">
        <div>
          <h1 dir="auto">{share.name}</h1>
          <p class="dimmed">
            {isComplete ? facts.filter(Boolean).join(' · ') : `${words.loading}…`}
            {share.has_watermark && ` · ${words.watermark}`}
          </p>
        </div>
        {(may('decide') || may('comment')) && media.length > 0 && (
          <button type="button" disabled={doneAt === decided} onClick={finish}>
            <Icon name="check" /> {doneAt === decided ? words.doneTold : words.done}
          </button>
        )}
        {may('download') && media.length > 0 && (
          <button type="button" onClick={() => save(({ api }) => api.download())}>
            <Icon name="download" /> {words.downloadAll}
          </button>
        )}
      </div>
      {may('decide') && isComplete && media.length > 0 && (
        <div class="progress">
          <progress max={media.length} value={decided} aria-label={words.progress(decided, media.length)} />
          <p role="status">{onNext ? words.progress(decided, media.length) : words.allDecided}</p>
          {onNext && (
            <button type="button" class="main" onClick={onNext}>
              {words.nextUndecided}
            </button>
          )}
        </div>
      )}
    </header>
  );
}

const dayOf = (at: string) => new Date(at).toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric' });

/** Goes to the folders, where there are several. */
function Jumps({ sections }: { readonly sections: readonly Section[] }) {
  const folders = sections.filter(({ title }) => title !== null);
  if (folders.length < 2) return null;
  return (
    <nav aria-label={words.folders}>
      {folders.map(({ id, title, media }) => (
        <a key={id} href={`#folder-${id}`} dir="auto">
          {title} <span class="dimmed">{media.length}</span>
        </a>
      ))}
    </nav>
  );
}
