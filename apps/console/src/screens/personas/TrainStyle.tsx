import { Select, Stack, Text, TextInput } from '@mantine/core';
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
import { ErrorNotice, FormButtons, notifyDone, number, storedPicture, MediaThumb, uiWords } from '../../ui/index.ts';
import { filledStyleSlots, useStyleChanges } from './use-styles.ts';
import classes from './StylesPanel.module.css';
import { words } from './words.ts';

interface TrainStyleProps {
  readonly persona: PersonaDto;
  /** At least one. */
  readonly trainers: readonly ModelDto[];
  readonly onClose: () => void;
}

const text = words.styles;

/** Trains a style on the pictures in the slots, and says before what it costs. */
export function TrainStyle({ persona, trainers, onClose }: TrainStyleProps) {
  const form = useForm({ initialValues: { model: trainers[0]!.id, name: '' } });
  const { model } = form.values;
  const slots = filledStyleSlots(persona);
  const { price, start } = useTraining(persona, model, slots.length, onClose);
  const error = start.error ?? price.error;
  const nameProblem = fieldProblem(start.error, 'name', text.name);
  const cost = price.data
    ? uiWords.credits(number(price.data.cost), price.data.cost === 1)
    : costText(trainers.find(({ id }) => id === model)!);
  return (
    <form onSubmit={form.onSubmit((values) => start.mutate(values))}>
      <Stack>
        <div>
          <Text size="sm" mb={6}>
            {text.pictures(price.data?.pictures.length ?? slots.length)}
          </Text>
          <div className={classes.pictures}>
            {slots.map(({ slot, photo }) => (
              <MediaThumb
                key={slot}
                media={storedPicture(photo!)}
                alt={text.slot(slot)}
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
        <FormButtons action={text.start(cost)} isSending={start.isPending} disabled={!price.data} onCancel={onClose} />
      </Stack>
    </form>
  );
}

/** The price of a training, and its start. */
function useTraining(persona: PersonaDto, model: string, slots: number, onStarted: () => void) {
  const call = { persona_id: persona.id, model };
  const price = useQuery({
    queryKey: ['styles', 'dry-run', persona.id, model, slots],
    queryFn: async ({ signal }) =>
      (await x12.personas.styles.create({ ...call, dry_run: true }, { signal })) as TrainStyleDryRunResponse,
  });
  const { settled } = useStyleChanges(persona);
  const start = useMutation({
    mutationFn: async ({ name }: { readonly name: string }) =>
      (await x12.personas.styles.create({ ...call, ...(name.trim() && { name }) })) as TrainStyleResponse,
    onSuccess: ({ style }) => {
      notifyDone(text.started(style.name));
      onStarted();
      void settled();
    },
  });
  return { price, start };
}
