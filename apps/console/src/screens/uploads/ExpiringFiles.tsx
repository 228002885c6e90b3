import { Anchor, Group, Text } from '@mantine/core';
import {
  type PersonaFileDto,
  personasFilesListInfiniteOptions,
  type PersonaSummaryDto,
  usePages,
} from '../../api/index.ts';
import {
  bytes,
  EditButton,
  Hint,
  MediaThumb,
  NextPageError,
  QueryState,
  Section,
  useNextPage,
  VirtualList,
  When,
} from '../../ui/index.ts';
import { uploadWords } from '../../uploads/index.ts';
import classes from './ExpiringFiles.module.css';
import { words } from './words.ts';

/** The temporary files of a persona, with their expiry. */
export function ExpiringFiles({ persona }: { readonly persona: Pick<PersonaSummaryDto, 'id' | 'name'> }) {
  const path = { persona_id: persona.id };
  const options = personasFilesListInfiniteOptions({ path, query: { temporary: true, limit: 100 } });
  const { list, items: files } = usePages(options, (page) => page.files);
  const onEnd = useNextPage(list);
  return (
    <Section title={words.expiring(persona.name)}>
      {!files && <QueryState query={list} rows={2} height={44} />}
      {files?.length === 0 && <Hint>{words.noneExpiring}</Hint>}
      {files && files.length > 0 && (
        <VirtualList
          items={files}
          label={words.expiring(persona.name)}
          keyOf={({ id }) => id}
          rowHeight={57}
          line="above"
          onEnd={onEnd}
        >
          {(file) => <FileRow file={file} personaId={persona.id} />}
        </VirtualList>
      )}
      <NextPageError query={list} />
    </Section>
  );
}

function FileRow({ file, personaId }: { readonly file: PersonaFileDto; readonly personaId: number }) {
  return (
    <div className={classes.file}>
      <span className={classes.thumb}>
        <MediaThumb media={file} alt="" width={40} />
      </span>
      <Anchor href={file.url} target="_blank" rel="noreferrer" size="sm" truncate dir="auto" title={file.filename}>
        {file.filename}
      </Anchor>
      <Group gap="sm" wrap="nowrap" fz="sm" c="dimmed">
        <Text inherit visibleFrom="xs">
          {bytes(file.size)}
        </Text>
        <span>
          {uploadWords.expires} <When at={file.expires_at} />
        </span>
        <EditButton on={{ url: file.url, contentType: file.content_type, pid: personaId, output: null }} />
      </Group>
    </div>
  );
}
