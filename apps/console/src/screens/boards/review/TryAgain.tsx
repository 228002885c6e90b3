import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { type MediaDto, modelsListOptions } from '../../../api/index.ts';
import { draftOf, requestOf } from '../../../model-form/draft.ts';
import { costText, modelOf } from '../../../model-form/index.ts';
import { ErrorNotice, FormButtons, type Made, QueryState } from '../../../ui/index.ts';
import { generated, makeNext } from './use-rounds.ts';
import { words } from './words.ts';

interface TryAgainProps {
  readonly boardId: number;
  readonly media: MediaDto;
  /** How it was made; null while the form is closed. */
  readonly made: Made | null;
  /** Words of the request and of open comments. */
  readonly asked: readonly string[];
  readonly onClose: () => void;
}

/** Makes the next version of an item by its settings, with what was asked for beside the prompt. */
export function TryAgain({ made, ...props }: TryAgainProps) {
  return made && <TryAgainForm made={made} {...props} />;
}

function TryAgainForm({ boardId, media, made, asked, onClose }: TryAgainProps & { readonly made: Made }) {
  const { generation, output } = made;
  const models = useQuery({ ...modelsListOptions(), staleTime: 300_000 });
  const queries = useQueryClient();
  const [prompt, setPrompt] = useState(generation.prompt ?? '');
  if (!models.data) return <QueryState query={models} rows={2} />;
  const model = modelOf(generation.model, models.data.models);
  if (!model) return <ErrorNotice error={words.noModel} />;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const { parameters, ...draft } = draftOf(generation, model);
    const { seed, ...others } = parameters;
    // The same words and the same seed would make the same picture.
    const isSame = prompt.trim() === (generation.prompt ?? '').trim();
    const request = requestOf({ ...draft, prompt, parameters: isSame ? others : parameters }, model);
    const parent = { generation_id: generation.id, output: output.index };
    void makeNext(queries, boardId, media, () => generated({ parent, ...request, count: undefined, model: model.id }));
    onClose();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {asked.map((text) => (
          <Group key={text} gap="xs" wrap="nowrap" justify="space-between">
            <Text size="sm" dir="auto" lineClamp={3}>
              {text}
            </Text>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Plus size={13} aria-hidden />}
              aria-label={words.addToPrompt(text)}
              onClick={() => setPrompt(`${prompt.trim()}${prompt.trim() && ', '}${text}`)}
              children={words.add}
            />
          </Group>
        ))}
        <Textarea
          autosize
          autoFocus
          minRows={3}
          maxRows={10}
          dir="auto"
          label={words.prompt}
          description={`${model.title} · ${costText(model)}`}
          value={prompt}
          data-mantine-stop-propagation
          onChange={(event) => setPrompt(event.target.value)}
        />
        <FormButtons
          size="compact-sm"
          action={words.makeVersion(media.version + 1)}
          onCancel={onClose}
          isSending={false}
        />
      </Stack>
    </form>
  );
}
