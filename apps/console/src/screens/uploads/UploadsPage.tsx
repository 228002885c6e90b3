import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { personasListOptions } from '../../api/index.ts';
import { uploadFiles, useDropAnywhere, useUploads } from '../../uploads/index.ts';
import { ErrorNotice, Page, useListState } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { ExpiringFiles } from './ExpiringFiles.tsx';
import { LostUploads } from './LostUploads.tsx';
import { UploadList } from './UploadList.tsx';
import { UploadOptions } from './UploadOptions.tsx';

/** In the URL: where uploads go. No persona is the caller's first. */
const ABSENT = { persona: 0, temporary: false };

/** Choose or drop files, see how far they are, and when the temporary ones expire. */
export function UploadsPage() {
  const [state, change] = useListState(ABSENT);
  const personas = useQuery(personasListOptions());
  const entries = useUploads();
  const persona = personas.data?.personas.find(({ id }) => id === state.persona);
  const shown = persona ?? personas.data?.personas.at(-1);
  const onFiles = useMemo(() => {
    const target = { personaId: state.persona || undefined, temporary: state.temporary, purpose: persona?.name };
    return (files: readonly File[]) => uploadFiles(files, target);
  }, [state, persona?.name]);
  const label = persona ? words.uploads.dropTo(persona.name) : words.uploads.dropAnywhere;
  useDropAnywhere(useMemo(() => ({ label, onFiles }), [label, onFiles]));
  return (
    <Page title={words.uploads.title} hint={words.uploads.hint}>
      <LostUploads entries={entries} onFiles={onFiles} />
      <UploadOptions
        personas={personas.data?.personas ?? []}
        persona={state.persona}
        temporary={state.temporary}
        onChange={change}
        onFiles={onFiles}
      />
      <UploadList entries={entries} />
      {personas.error && !personas.data && (
        <ErrorNotice error={personas.error} onRetry={() => void personas.refetch()} />
      )}
      {shown && <ExpiringFiles key={shown.id} persona={shown} />}
    </Page>
  );
}
