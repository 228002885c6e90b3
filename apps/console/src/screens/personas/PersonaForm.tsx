import { Modal, Textarea, TextInput } from '@mantine/core';
import { type PersonaDto, useChange, x12 } from '../../api/index.ts';
import { FieldForm, orNull } from '../../ui/index.ts';
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

const LABELS = { name: words.name, title: words.personaTitle, profession: words.profession, knows: words.knows };

function Fields({ onClose, persona, name = '', onSaved }: Omit<PersonaFormProps, 'opened'>) {
  const save = useChange((profile: Readonly<Record<keyof typeof LABELS, string>>) => {
    const { title, profession, knows } = profile;
    const body = { name: profile.name, title: orNull(title), profession: orNull(profession), knows: orNull(knows) };
    return persona ? x12.personas.update({ persona_id: persona.id, ...body }) : x12.personas.create(body);
  }, 'personas');
  const { title, profession, knows } = persona ?? {};
  const optional = { required: false, dir: 'auto' } as const;
  return (
    <FieldForm
      size="sm"
      initial={{ name: persona?.name ?? name, title: title ?? '', profession: profession ?? '', knows: knows ?? '' }}
      labels={LABELS}
      send={save.mutateAsync}
      onDone={({ persona: saved }) => onSaved(saved)}
      submit={persona ? words.save : words.createAction}
      onCancel={onClose}
    >
      {(field) => (
        <>
          <TextInput data-autofocus dir="auto" maxLength={100} description={words.nameHint} {...field('name')} />
          <TextInput {...field('title')} {...optional} />
          <TextInput {...field('profession')} {...optional} />
          <Textarea autosize minRows={3} maxRows={10} description={words.knowsHint} {...field('knows')} {...optional} />
        </>
      )}
    </FieldForm>
  );
}
