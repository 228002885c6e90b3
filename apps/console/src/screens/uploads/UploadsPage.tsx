import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { personasListOptions, type PersonaSummaryDto } from '../../api/index.ts';
import { places } from '../../places.ts';
import { uploadFiles, uploadWords, useDropAnywhere, useUploads } from '../../uploads/index.ts';
import { ErrorNotice, Page, useListState, usePersonaNames } from '../../ui/index.ts';
import { ExpiringFiles } from './ExpiringFiles.tsx';
import { LostUploads } from './LostUploads.tsx';
import { UploadList } from './UploadList.tsx';
import { UploadOptions } from './UploadOptions.tsx';
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
