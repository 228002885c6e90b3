import { Button, Group, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ImageOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { modelsListOptions } from '../../api/index.ts';
import { product } from '../../places.ts';
import { ActionButton, EmptyState, ErrorNotice, openUrlOf, type Origin, outputOf, uiWords } from '../../ui/index.ts';
import classes from './Editor.module.css';
import { Editor } from './Editor.tsx';
import { EditorHeader } from './EditorHeader.tsx';
import type { Size } from './geometry.ts';
import { words } from './words.ts';

/** The editor of the picture that the address names. */
export function EditorPage() {
  const edited = editedOf(useSearch({ strict: false }));
  useEffect(() => {
    document.title = `${words.title} · ${product}`;
  }, []);
  if (!edited) return <Without title={words.noPicture} hint={words.noPictureHint} />;
  // Another picture has another editor.
  return <Opened key={edited.url} edited={edited} />;
}

function Opened({ edited }: { readonly edited: Origin }) {
  const { picture, url, retry } = usePicture(edited.url);
  const models = useQuery({ ...modelsListOptions(), staleTime: 300_000 });
  if (picture === 'gone') return <Without title={words.gone} hint={words.goneHint} onRetry={retry} />;
  if (models.error && !models.data) {
    return (
      <Frame>
        <ErrorNotice error={models.error} onRetry={() => void models.refetch()} />
      </Frame>
    );
  }
  if (picture === 'loading' || !models.data) {
    return (
      <Frame>
        <div role="status" aria-label={words.loading}>
          <Loader />
        </div>
      </Frame>
    );
  }
  return <Editor edited={{ ...edited, url }} size={picture} models={models.data.models} />;
}

/** The size of a picture in pixels, once it is loaded, and its URL: that of the address is not signed. */
function usePicture(given: string) {
  const [url, setUrl] = useState(given);
  const [picture, setPicture] = useState<Size | 'loading' | 'gone'>('loading');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const image = new Image();
    image.onload = () => setPicture({ width: image.naturalWidth, height: image.naturalHeight });
    const fail = () => setPicture('gone');
    image.onerror = () => {
      openUrlOf(given).then((open) => (open === url ? fail() : setUrl(open)), fail);
    };
    image.src = url;
    return () => {
      image.onload = image.onerror = null;
    };
  }, [given, url, attempt]);
  const retry = () => {
    setPicture('loading');
    setAttempt((before) => before + 1);
  };
  return { picture, url, retry };
}

interface WithoutProps {
  readonly title: string;
  readonly hint: string;
  readonly onRetry?: () => void;
}

function Without({ title, hint, onRetry }: WithoutProps) {
  const toLibrary = (
    <ActionButton component={Link} label={words.toLibrary} to="/library" variant={onRetry ? 'default' : 'filled'} />
  );
  return (
    <Frame>
      <EmptyState
        icon={ImageOff}
        title={title}
        hint={hint}
        action={
          <Group gap={8} justify="center" align="stretch">
            {onRetry && <Button onClick={onRetry}>{uiWords.retry}</Button>}
            {toLibrary}
          </Group>
        }
      />
    </Frame>
  );
}

/** The editor without a picture. */
function Frame({ children }: { readonly children: React.ReactNode }) {
  return (
    <div className={classes.editor} data-empty>
      <EditorHeader />
      <div className={classes.empty}>{children}</div>
    </div>
  );
}

/** The picture that the address of the editor names. */
function editedOf({ image, pid, parent }: Readonly<Record<string, unknown>>): Origin | null {
  if (typeof image !== 'string' || !URL.canParse(image)) return null;
  return { url: image, pid: typeof pid === 'number' ? pid : null, output: outputOf(parent) };
}
