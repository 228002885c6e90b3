import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  fieldProblem,
  x12,
  type ModelDto,
  type PersonaDto,
  type TrainStyleDryRunResponse,
  type TrainStyleResponse,
} from '../../api/index.ts';
import { costText } from '../../model-form/index.ts';
import { ErrorNotice, notifyDone, number, storedPicture, Thumb, uiWords } from '../../ui/index.ts';
import { filledStyleSlots, useStyleChanges } from './use-styles.ts';
import classes from './StylesPanel.module.css';
import { words } from './words.ts';

interface TrainStyleProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly persona: PersonaDto;
  /** At least one. */
  readonly trainers: readonly ModelDto[];
}

const text = words.styles;

/** Trains a style on the pictures in the slots, and says before what it costs. */
export function TrainStyle({ opened, onClose, persona, trainers }: TrainStyleProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={text.trainTitle(persona.name)}>
      <Fields onClose={onClose} persona={persona} trainers={trainers} />
    </Modal>
  );
}

function Fields({ onClose, persona, trainers }: Omit<TrainStyleProps, 'opened'>) {
  const form = useForm({ initialValues: { model: trainers[0]!.id, name: '' } });
  const { model } = form.values;
  const slots = filledStyleSlots(persona);
  const price = useQuery({
    queryKey: ['styles', 'dry-run', persona.id, model, slots.length],
    queryFn: async ({ signal }) => {
      const call = { persona_id: persona.id, model, dry_run: true };
      return (await x12.personas.styles.create(call, { signal })) as TrainStyleDryRunResponse;
    },
  });
  const { settled } = useStyleChanges(persona);
  const start = useMutation({
    mutationFn: async ({ name }: typeof form.values) => {
      const call = { persona_id: persona.id, model, ...(name.trim() && { name }) };
      return (await x12.personas.styles.create(call)) as TrainStyleResponse;
    },
    onSuccess: ({ style }) => {
      notifyDone(text.started(style.name));
      onClose();
      void settled();
    },
  });
  const error = start.error ?? price.error;
  const nameProblem = fieldProblem(start.error, 'name', text.name);
  return (
    <form onSubmit={form.onSubmit((values) => start.mutate(values))}>
      <Stack>
        <div>
          <Text size="sm" mb={6}>
            {text.pictures(price.data?.pictures.length ?? slots.length)}
          </Text>
          <div className={classes.pictures}>
            {slots.map(({ slot, photo }) => (
              <Thumb
                key={slot}
                media={storedPicture(photo!)}
                alt={words.styles.slot(slot)}
                width={64}
                className={classes.picture}
              />
            ))}
          </div>
        </div>
        {trainers.length > 1 && (
          <Select
            label={text.model}
            allowDeselect={false}
            data={trainers.map(({ id, title }) => ({ value: id, label: title }))}
            {...form.getInputProps('model')}
          />
        )}
        <TextInput
          data-autofocus
          label={text.name}
          placeholder={text.namePlaceholder}
          maxLength={100}
          dir="auto"
          {...form.getInputProps('name')}
          error={nameProblem}
        />
        {error && !nameProblem && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {uiWords.cancel}
          </Button>
          <Button type="submit" loading={start.isPending} disabled={!price.data}>
            {text.start(
              price.data
                ? uiWords.credits(number(price.data.cost), price.data.cost === 1)
                : costText(trainers.find(({ id }) => id === model)!),
            )}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
