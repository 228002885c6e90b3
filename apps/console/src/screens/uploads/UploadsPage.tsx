import { Alert, Button, FileButton, Group, SegmentedControl, Select, Stack, Text, ThemeIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FolderUp, History, Upload } from 'lucide-react';
import { useMemo } from 'react';
import { personasListOptions, type PersonaSummaryDto } from '../../api/index.ts';
import { places } from '../../places.ts';
import { useMe } from '../../shell/index.ts';
import { ActionButton, ErrorNotice, Note, Page, Section, useListState, usePersonaNames } from '../../ui/index.ts';
import {
  type UploadEntry,
  uploadFiles,
  uploads,
  uploadWords,
  useDropAnywhere,
  useUploads,
} from '../../uploads/index.ts';
import { ExpiringFiles } from './ExpiringFiles.tsx';
import { UploadList } from './UploadList.tsx';
import classes from './UploadsPage.module.css';
import { words } from './words.ts';

const NONE: readonly PersonaSummaryDto[] = [];
/** The state in the URL: the target of uploads. Persona 0 is the user's first. */
const ABSENT = { persona: 0, temporary: false };

/** Uploads with their progress, and temporary files with their expiry. */
export function UploadsPage() {
  const [state, change] = useListState(ABSENT);
  const personas = useQuery(personasListOptions());
  const entries = useUploads();
  const persona = personas.data?.personas.find(({ id }) => id === state.persona);
  const nameOf = usePersonaNames(personas.data?.personas ?? NONE);
  const shown = persona ?? personas.data?.personas.at(-1);
  const name = persona && nameOf(persona);
  const onFiles = useMemo(() => {
    const target = { personaId: state.persona || undefined, temporary: state.temporary, purpose: name };
    return (files: readonly File[]) => uploadFiles(files, target);
  }, [state, name]);
  const label = name === undefined ? uploadWords.dropAnywhere : words.dropTo(name);
  useDropAnywhere(useMemo(() => ({ label, onFiles }), [label, onFiles]));
  return (
    <Page title={places.uploads} hint={words.hint}>
      <LostUploads entries={entries} onFiles={onFiles} />
      <UploadOptions
        personas={(personas.data?.personas ?? NONE).map((each) => ({ id: each.id, name: nameOf(each) }))}
        persona={state.persona}
        temporary={state.temporary}
        onChange={change}
        onFiles={onFiles}
      />
      <UploadList entries={entries} />
      {personas.error && !personas.data && (
        <ErrorNotice error={personas.error} onRetry={() => void personas.refetch()} />
      )}
      {shown && <ExpiringFiles key={shown.id} persona={{ id: shown.id, name: nameOf(shown) }} />}
    </Page>
  );
}

interface LostUploadsProps {
  readonly entries: readonly UploadEntry[];
  readonly onFiles: (files: readonly File[]) => void;
}

/** Continues uploads that a reload interrupted. The files have to be chosen again, as pages can't keep them. */
function LostUploads({ entries, onFiles }: LostUploadsProps) {
  const lost = entries.filter(({ status }) => status === 'lost');
  if (lost.length === 0) return null;
  return (
    <Alert color="sea" icon={<History aria-hidden />} title={words.lost(lost.length)}>
      <Text size="sm" c="var(--mantine-color-text)">
        {words.lostHint}
      </Text>
      <Group mt="sm" gap="xs">
        <FileButton multiple onChange={onFiles}>
          {(props) => <ActionButton label={words.chooseFiles} size="xs" variant="default" {...props} />}
        </FileButton>
        <Button size="xs" variant="default" onClick={() => lost.forEach(({ id }) => uploads.remove(id))}>
          {words.forget}
        </Button>
      </Group>
    </Alert>
  );
}

interface UploadOptionsProps {
  readonly personas: readonly Pick<PersonaSummaryDto, 'id' | 'name'>[];
  /** The id of the persona; 0 is the user's first. */
  readonly persona: number;
  readonly temporary: boolean;
  readonly onChange: (part: { persona?: number; temporary?: boolean }) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Chooses files, their persona, and whether they are temporary. */
function UploadOptions({ onFiles, ...target }: UploadOptionsProps) {
  const { upload_metadata: metadata } = useMe();
  return (
    <Section>
      <div className={classes.options}>
        <Stack
          align="center"
          justify="center"
          gap="xs"
          px={20}
          py={28}
          bd="2px dashed var(--mantine-color-default-border)"
          bdrs="lg"
          bg="var(--ground)"
        >
          <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
            <Upload size={22} />
          </ThemeIcon>
          <Text fw={600} ta="center">
            {words.drop}
          </Text>
          <Note ta="center" maw={380}>
            {words.dropHint} {uploadWords.metadata[metadata]}
          </Note>
          <Group gap="xs" mt={4} justify="center">
            <FileButton multiple onChange={onFiles}>
              {(props) => <Button {...props}>{words.chooseFiles}</Button>}
            </FileButton>
            <FileButton multiple onChange={onFiles} inputProps={{ webkitdirectory: '' } as object}>
              {(props) => <ActionButton icon={FolderUp} label={words.chooseFolder} variant="default" {...props} />}
            </FileButton>
          </Group>
        </Stack>
        <Target {...target} />
      </div>
    </Section>
  );
}

function Target({ personas, persona, temporary, onChange }: Omit<UploadOptionsProps, 'onFiles'>) {
  const { firstPersona, permanent, permanentHint, temporaryHint } = words;
  const data = personas.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <Stack gap="md">
      <Select
        searchable
        limit={100}
        allowDeselect={false}
        label={words.addTo}
        nothingFoundMessage={words.noPersona}
        data={[{ value: '0', label: firstPersona }, ...data]}
        value={String(persona)}
        onChange={(id) => onChange({ persona: Number(id) })}
      />
      <div>
        <Text size="sm" fw={600} mb={4} id="keep">
          {words.keep}
        </Text>
        <SegmentedControl
          fullWidth
          transitionDuration={0}
          aria-labelledby="keep"
          aria-describedby="keep-hint"
          value={temporary ? 'temporary' : 'permanent'}
          onChange={(value) => onChange({ temporary: value === 'temporary' })}
          data={[
            { value: 'permanent', label: permanent },
            { value: 'temporary', label: words.temporary },
          ]}
        />
        <Note mt={6} id="keep-hint">
          {temporary ? temporaryHint : permanentHint}
        </Note>
      </div>
    </Stack>
  );
}
