import { CloseButton, Menu, Progress, Text, UnstyledButton } from '@mantine/core';
import { FileUp, ImagePlus, Images, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { X12Error } from '../api/index.ts';
import { ActionMenuItem, MediaPicker, MediaThumb, Note, percent, type PickedMedia } from '../ui/index.ts';
import { UploadCanceled, uploads, useFileTarget, useUploads } from '../uploads/index.ts';
import classes from './InputTile.module.css';
import { words } from './words.ts';

interface InputTileProps {
  readonly label: string;
  /** Note that the model requires the picture, or how many it takes. */
  readonly note?: string;
  readonly media: PickedMedia | null;
  /** The origin of a picture that was not chosen in the form: `From persona`. */
  readonly origin?: string;
  readonly error?: string;
  readonly most?: number;
  readonly personaId: number | null;
  readonly onPick: (picked: readonly PickedMedia[]) => void;
  readonly onRemove?: () => void;
}

const text = words.input;

/** An input picture. It takes dropped files, files of this device and stored pictures. */
export function InputTile({ note, most = 1, personaId, ...props }: InputTileProps) {
  const { label, media, origin, error, onPick } = props;
  const [isPicking, setPicking] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const tile = useRef<HTMLDivElement>(null);
  const upload = useInputUpload(label, onPick);
  const isOver = useFileTarget(tile, (files) => upload.start(files.slice(0, most)));
  const problem = error ?? (upload.error === null ? undefined : messageOf(upload.error));
  return (
    <div style={{ minWidth: 0 }}>
      <div
        ref={tile}
        className={classes.tile}
        data-over={isOver || undefined}
        data-wrong={problem !== undefined || undefined}
      >
        <Choices {...props} onUpload={() => chooser.current?.click()} onStored={() => setPicking(true)} />
        {origin && media && <span className={classes.origin}>{origin}</span>}
        {upload.share !== null && <Sending share={upload.share} label={label} onCancel={upload.cancel} />}
      </div>
      <Text size="sm" fw={500} mt={6} lh={1.3}>
        {label}
      </Text>
      <ProblemOrNote problem={problem} note={note} />
      <input
        ref={chooser}
        type="file"
        hidden
        accept="image/*"
        multiple={most > 1}
        aria-label={label}
        onChange={({ target }) => {
          upload.start([...(target.files ?? [])].slice(0, most));
          target.value = '';
        }}
      />
      <MediaPicker
        opened={isPicking}
        onClose={() => setPicking(false)}
        title={text.pick(label)}
        most={most}
        personaId={personaId}
        onPick={onPick}
      />
    </div>
  );
}

interface ChoicesProps extends Pick<InputTileProps, 'label' | 'media' | 'origin' | 'onRemove'> {
  readonly onUpload: () => void;
  readonly onStored: () => void;
}

/** The picture, and the menu that changes it. */
function Choices({ label, media, origin, onRemove, onUpload, onStored }: ChoicesProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes.button} aria-label={text.change(label, media?.name ?? null)}>
          {media ? (
            <MediaThumb media={media} alt="" width={120} />
          ) : (
            <ImagePlus size={22} strokeWidth={1.6} aria-hidden />
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <ActionMenuItem icon={FileUp} label={text.upload} onClick={onUpload} />
        <ActionMenuItem icon={Images} label={text.stored} onClick={onStored} />
        {media && onRemove && (
          <ActionMenuItem icon={Trash2} label={origin ? text.leaveOut : text.remove} onClick={onRemove} />
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function ProblemOrNote({ problem, note }: { readonly problem: string | undefined; readonly note: string | undefined }) {
  if (problem) return <Text size="xs" c="var(--mantine-color-error)" role="alert" children={problem} />;
  return note ? <Note>{note}</Note> : null;
}

interface SendingProps {
  readonly share: number;
  readonly label: string;
  readonly onCancel: () => void;
}

function Sending({ share, label, onCancel }: SendingProps) {
  return (
    <div className={classes.sending}>
      <CloseButton size="sm" aria-label={text.cancelUpload(label)} onClick={onCancel} />
      <Text size="xs">{percent(share)}</Text>
      <Progress w="80%" size="sm" value={share * 100} aria-label={text.uploading(label)} />
    </div>
  );
}

function messageOf(error: unknown): string {
  if (!(error instanceof X12Error)) return String(error);
  return error.requestId === null ? error.message : `${error.message} (${error.requestId})`;
}

/** Pixels; drafts are kept with it. */
const HEIGHT = 200;

/** Shown at once: those of the service take seconds. */
async function localThumbnails(file: File): Promise<PickedMedia['thumbnails']> {
  try {
    const bitmap = await createImageBitmap(file, { resizeHeight: HEIGHT, resizeQuality: 'medium' });
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
    canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
    return [{ url: canvas.toDataURL('image/webp', 0.7), width: bitmap.width, height: bitmap.height }];
  } catch {
    // A browser decodes no drawing and no TIFF here.
    return [];
  }
}

/** Uploads input files as temporary files, through the uploads of the page. */
function useInputUpload(purpose: string, onStored: (media: readonly PickedMedia[]) => void) {
  const [ids, setIds] = useState<readonly number[]>([]);
  const entries = useUploads().filter(({ id, status }) => ids.includes(id) && status !== 'done');

  const send = async (file: File) => {
    const { id, finished } = uploads.add(file, { temporary: true, purpose });
    setIds((others) => [...others, id]);
    const [{ url, content_type, expires_at }, thumbnails] = await Promise.all([finished, localThumbnails(file)]);
    return { url, content_type, expires_at, name: file.name, thumbnails };
  };
  const start = (files: readonly File[]) => {
    const all = Promise.all(files.map(send));
    all.then(onStored, (error: unknown) => {
      if (!(error instanceof UploadCanceled)) throw error;
    });
  };
  const cancel = () => entries.forEach(({ id }) => uploads.remove(id));
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const sent = entries.reduce((sum, each) => sum + each.sent, 0);
  const error = entries.find((entry) => entry.status === 'failed')?.error ?? null;
  return { share: entries.length === 0 ? null : sent / Math.max(1, total), error, start, cancel };
}
