import { FileButton, Button, Group, SegmentedControl, Select, Stack, Text, ThemeIcon } from '@mantine/core';
import { FolderUp, Upload } from 'lucide-react';
import type { PersonaSummaryDto } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { ActionButton, Note, Section } from '../../ui/index.ts';
import { uploadWords } from '../../uploads/index.ts';
import classes from './UploadOptions.module.css';
import { words } from './words.ts';

interface UploadOptionsProps {
  readonly personas: readonly Pick<PersonaSummaryDto, 'id' | 'name'>[];
  /** The id of the persona; 0 is the user's first. */
  readonly persona: number;
  readonly temporary: boolean;
  readonly onChange: (part: { persona?: number; temporary?: boolean }) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Chooses files, their persona, and whether they are temporary. */
export function UploadOptions({ onFiles, ...target }: UploadOptionsProps) {
  const { upload_metadata: metadata } = useMe();
  return (
    <Section>
      <div className={classes.options}>
        <Stack align="center" justify="center" gap="xs" className={classes.drop}>
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
