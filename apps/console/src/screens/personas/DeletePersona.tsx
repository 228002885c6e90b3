import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type PersonaDto, personasGetQueryKey, refresh, x12 } from '../../api/index.ts';
import { shellWords, useDeletionNotice } from '../../shell/index.ts';
import { ConfirmDialog, number } from '../../ui/index.ts';
import { useFiles } from './FilesPanel.tsx';
import { words } from './words.ts';

interface DeletePersonaProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly persona: PersonaDto;
  readonly onDeleted: () => void;
}

/** Deletes a persona once its name is typed, and says what is deleted with it. */
export function DeletePersona({ persona, onDeleted, ...dialog }: DeletePersonaProps) {
  const queries = useQueryClient();
  const notifyDeleted = useDeletionNotice();
  const path = { persona_id: persona.id };
  const confirm = async () => {
    await x12.personas.delete(path);
    await notifyDeleted(words.deleted(persona.name), 'persona', persona.id);
    onDeleted();
    queries.removeQueries({ queryKey: personasGetQueryKey({ path }) });
    void refresh(queries, 'personas', 'trash');
  };
  return (
    <ConfirmDialog
      {...dialog}
      title={words.deleteTitle}
      action={words.deleteAction}
      typed={persona.name}
      onConfirm={confirm}
    >
      <DeletionSummary persona={persona} />
    </ConfirmDialog>
  );
}

function DeletionSummary({ persona }: { readonly persona: PersonaDto }) {
  const { list, items: files } = useFiles(persona.id);
  const permanent = files?.filter(({ temporary }) => !temporary).length;
  const known = permanent === undefined || list.hasNextPage ? null : words.deletesFiles(number(permanent));
  return (
    <Text size="sm">
      {words.deletes(words.deletesPictures(persona.trainings_count), known ?? words.deletesAll)} {shellWords.trashKeeps}
    </Text>
  );
}
