import { Button, Group, Modal, Select, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Hint } from '../Hint.tsx';
import { ActionButton } from '../ActionButton.tsx';
import {
  personasGetOptions,
  personasListOptions,
  type PersonaSummaryDto,
  refresh,
  type SlotDto,
  x12,
} from '../../api/index.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { usePersonaNames } from '../persona-names.ts';
import { notifyDone } from '../notices.tsx';
import { storedPicture } from '../media.ts';
import { MediaThumb } from '../MediaThumb.tsx';
import { QueryState } from '../QueryState.tsx';
import { words } from '../words.ts';
import classes from './UseAsSlotDialog.module.css';

interface UseAsSlotDialogProps {
  /** The URL of the picture; null while the dialog is closed. */
  readonly url: string | null;
  /** Shown first. */
  readonly personaId?: number | null;
  readonly onClose: () => void;
}

const text = words.useAsSlot;

/** Puts a picture into a slot of a persona, and says which picture it replaces. */
export function UseAsSlotDialog({ url, personaId, onClose }: UseAsSlotDialogProps) {
  return (
    <Modal opened={url !== null} onClose={onClose} title={text.title} size="lg">
      {url !== null && <PersonaChoice url={url} personaId={personaId} onClose={onClose} />}
    </Modal>
  );
}

const NONE: readonly PersonaSummaryDto[] = [];

interface PersonaChoiceProps extends Omit<UseAsSlotDialogProps, 'url'> {
  readonly url: string;
}

function PersonaChoice({ url, personaId, onClose }: PersonaChoiceProps) {
  const personas = useQuery(personasListOptions());
  const nameOf = usePersonaNames(personas.data?.personas ?? NONE);
  const [chosen, choose] = useState<string | null>(null);
  if (!personas.isSuccess) return <QueryState query={personas} rows={3} />;
  const all = personas.data.personas;
  const persona = all.find(({ id }) => String(id) === chosen) ?? all.find(({ id }) => id === personaId) ?? all[0];
  if (!persona) return <Text>{words.picker.noPersonas}</Text>;
  return (
    <Stack>
      <Select
        searchable
        allowDeselect={false}
        label={words.picker.persona}
        data={all.map((each) => ({ value: String(each.id), label: nameOf(each) }))}
        value={String(persona.id)}
        onChange={choose}
      />
      <SlotChoice key={persona.id} persona={persona} url={url} onClose={onClose} />
    </Stack>
  );
}

interface SlotChoiceProps {
  readonly persona: PersonaSummaryDto;
  readonly url: string;
  readonly onClose: () => void;
}

function SlotChoice({ persona, url, onClose }: SlotChoiceProps) {
  const slots = useQuery(personasGetOptions({ path: { persona_id: persona.id } }));
  const [chosen, choose] = useState<SlotDto | null>(null);
  const save = useSaveToSlot(persona, url, onClose);
  if (!slots.isSuccess) return <QueryState query={slots} rows={1} height={180} />;
  return (
    <>
      <SimpleGrid cols={{ base: 3, xs: 4, sm: 7 }} spacing="xs" role="radiogroup" aria-label={text.slots}>
        {slots.data.persona.slots.map((slot) => (
          <SlotTile key={slot.slot} slot={slot} isChosen={chosen?.slot === slot.slot} onChoose={() => choose(slot)} />
        ))}
      </SimpleGrid>
      <Hint aria-live="polite" mih="1.5em">
        {chosen && (chosen.photo === null ? text.fills(chosen.slot) : text.replaces(chosen.slot))}
      </Hint>
      {save.error && <ErrorNotice error={save.error} />}
      <Group justify="flex-end">
        <ActionButton label={words.cancel} variant="default" onClick={onClose} />
        <Button disabled={!chosen} loading={save.isPending} onClick={() => chosen && save.mutate(chosen.slot)}>
          {chosen?.photo ? text.replace : text.action}
        </Button>
      </Group>
    </>
  );
}

interface SlotTileProps {
  readonly slot: SlotDto;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function SlotTile({ slot, isChosen, onChoose }: SlotTileProps) {
  return (
    <UnstyledButton
      role="radio"
      aria-checked={isChosen}
      aria-label={text.slot(slot.slot, text.purposes[slot.purpose], slot.photo === null)}
      className={classes.slot}
      onClick={onChoose}
    >
      <span className={classes.picture}>
        {slot.photo === null ? slot.slot : <MediaThumb media={storedPicture(slot.photo)} alt="" width={96} />}
      </span>
      <Text size="xs" ta="center" mt={4}>
        {text.purposes[slot.purpose]}
      </Text>
    </UnstyledButton>
  );
}

function useSaveToSlot(persona: PersonaSummaryDto, photo: string, onClose: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (slot: number) => x12.personas.slots.fill({ persona_id: persona.id, photo, slot }),
    onSuccess: ({ slot }) => {
      onClose();
      notifyDone(text.done(slot ?? 0, persona.name));
      void refresh(queries, 'personas');
    },
  });
}
