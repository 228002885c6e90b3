import { Badge, FileButton, Group, Menu, Text, UnstyledButton } from '@mantine/core';
import { Copy, Ellipsis, Files, Heart, Hourglass, Upload } from 'lucide-react';
import { useRef } from 'react';
import { type PersonaFileDto, personasFilesListInfiniteOptions, usePages } from '../../api/index.ts';
import { expiryOf } from '../../file-url.ts';
import {
  ActionButton,
  ActionMenuItem,
  bytes,
  EditItem,
  EmptyState,
  formatOf,
  fullTime,
  IconButton,
  mediaKind,
  MediaThumb,
  NextPageError,
  notifyDone,
  QueryState,
  useNextPage,
  VirtualList,
  When,
} from '../../ui/index.ts';
import { uploadFiles } from '../../uploads/index.ts';
import type { PanelProps } from './LikesPanel.tsx';
import { useDraggablePicture } from './picture-drag.ts';
import { SlotItems } from './SlotItems.tsx';
import classes from './Library.module.css';
import { words } from './words.ts';

/** Files of a page. */
const PAGE = 100;

/** The files of a persona, newest first. */
export function useFiles(personaId: number) {
  const options = personasFilesListInfiniteOptions({ path: { persona_id: personaId }, query: { limit: PAGE } });
  return usePages(options, ({ files }) => files);
}

/** The files of the persona, with the expiry of temporary files. */
export function FilesPanel(props: PanelProps) {
  const { persona } = props;
  const { list, items: files } = useFiles(persona.id);
  const onEnd = useNextPage(list);
  if (!files) return <QueryState query={list} rows={5} height={52} />;
  return (
    <>
      <UploadButton personaId={persona.id} name={persona.name} />
      {files.length === 0 ? (
        <EmptyState icon={Files} title={words.noFiles} hint={words.noFilesHint} />
      ) : (
        <VirtualList
          items={files}
          label={words.tabs.files}
          keyOf={({ id }) => id}
          rowHeight={69}
          line="below"
          onEnd={onEnd}
        >
          {(file) => <FileRow file={file} {...props} />}
        </VirtualList>
      )}
      <NextPageError query={list} />
    </>
  );
}

function UploadButton({ personaId, name }: { readonly personaId: number; readonly name: string }) {
  return (
    <Group justify="flex-end" mb="sm">
      <FileButton multiple onChange={(files) => uploadFiles(files, { personaId, purpose: name })}>
        {(props) => (
          <ActionButton icon={Upload} iconSize={15} label={words.upload} size="xs" variant="default" {...props} />
        )}
      </FileButton>
    </Group>
  );
}

function FileRow({ file, persona, pictures, onLook }: PanelProps & { readonly file: PersonaFileDto }) {
  const row = useRef<HTMLDivElement>(null);
  const isPicture = mediaKind(file.content_type) === 'picture';
  useDraggablePicture(row, isPicture ? { url: file.url } : null);
  return (
    <div ref={row} className={classes.file}>
      <UnstyledButton className={classes.thumb} aria-label={file.filename} onClick={() => onLook(`file-${file.id}`)}>
        <MediaThumb media={file} alt="" width={52} />
      </UnstyledButton>
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={500} truncate title={file.filename} dir="auto" ta="left">
          {file.filename}
        </Text>
        <Group gap={6} c="dimmed" fz="xs">
          <span>{formatOf(file.content_type)}</span>
          <span>{bytes(file.size)}</span>
          {file.expires_at === null ? <When at={file.created_at} /> : <Expiry at={file.expires_at} />}
        </Group>
      </div>
      <FileMenu file={file} isPicture={isPicture} persona={persona} pictures={pictures} />
    </div>
  );
}

function Expiry({ at }: { readonly at: string }) {
  return (
    <Badge size="sm" color="gray" leftSection={<Hourglass size={11} aria-hidden />}>
      {words.expires} <When at={at} />
    </Badge>
  );
}

interface FileMenuProps extends Omit<PanelProps, 'onLook'> {
  readonly file: PersonaFileDto;
  readonly isPicture: boolean;
}

function FileMenu({ file, isPicture, persona, pictures }: FileMenuProps) {
  const end = expiryOf(file.url);
  const done = end ? words.addressCopiedUntil(fullTime(end)) : words.addressCopied;
  const copy = () => void navigator.clipboard.writeText(file.url).then(() => notifyDone(done));
  return (
    <Menu width={220}>
      <Menu.Target>
        <IconButton icon={Ellipsis} label={words.menuOfLike(file.filename)} size={32} />
      </Menu.Target>
      <Menu.Dropdown>
        {isPicture && (
          <>
            <EditItem on={{ url: file.url, contentType: file.content_type, pid: persona.id, output: null }} />
            <SlotItems
              slots={persona.slots}
              label={words.putIn}
              labelOf={words.putInOf}
              onSlot={(slot) => pictures.fillWithUrl(slot, file.url)}
            />
            <Menu.Divider />
            <ActionMenuItem icon={Heart} label={words.addToLikes} onClick={() => pictures.likeUrls([file.url])} />
          </>
        )}
        <ActionMenuItem icon={Copy} label={words.copyAddress} onClick={copy} />
      </Menu.Dropdown>
    </Menu>
  );
}
