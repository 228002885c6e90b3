import { Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fieldProblem, type PersonaDto, refresh, x12 } from '../../api/index.ts';
import { ErrorNotice, FormButtons } from '../../ui/index.ts';
import { words } from './words.ts';

interface PersonaFormProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The persona to change; absent to create one. */
  readonly persona?: PersonaDto;
  /** The initial name of a new persona. */
  readonly name?: string;
  readonly onSaved: (persona: PersonaDto) => void;
}

/** Creates a persona, or changes its name, title, profession and knowledge. */
export function PersonaForm({ opened, onClose, persona, ...form }: PersonaFormProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={persona ? words.editTitle : words.create}>
      <Fields onClose={onClose} persona={persona} {...form} />
    </Modal>
  );
}

function Fields({ onClose, persona, name = '', onSaved }: Omit<PersonaFormProps, 'opened'>) {
  const save = useSave(persona, onSaved);
  const form = useForm({
    initialValues: {
      name: persona?.name ?? name,
      title: persona?.title ?? '',
      profession: persona?.profession ?? '',
      knows: persona?.knows ?? '',
    },
  });
  const field = (fieldName: keyof typeof form.values, label: string) => ({
    ...form.getInputProps(fieldName),
    label,
    dir: 'auto',
    error: fieldProblem(save.error, fieldName, label),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack>
        <TextInput
          required
          data-autofocus
          maxLength={100}
          description={words.nameHint}
          {...field('name', words.name)}
        />
        <TextInput {...field('title', words.personaTitle)} />
        <TextInput {...field('profession', words.profession)} />
        <Textarea autosize minRows={3} maxRows={10} description={words.knowsHint} {...field('knows', words.knows)} />
        {save.error && <ErrorNotice error={save.error} />}
        <FormButtons action={persona ? words.save : words.createAction} isSending={save.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

interface Profile {
  readonly name: string;
  readonly title: string;
  readonly profession: string;
  readonly knows: string;
}

function useSave(persona: PersonaDto | undefined, onSaved: (persona: PersonaDto) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, title, profession, knows }: Profile) => {
      const body = { name, title: title || null, profession: profession || null, knows: knows || null };
      return persona ? x12.personas.update({ persona_id: persona.id, ...body }) : x12.personas.create(body);
    },
    onSuccess: ({ persona: saved }) => {
      void refresh(queries, 'personas');
      onSaved(saved);
    },
  });
}
