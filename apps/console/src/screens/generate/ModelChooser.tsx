import {
  ActionIcon,
  Badge,
  Group,
  Modal,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { Check, Search, Star } from 'lucide-react';
import { useState } from 'react';
import type { LibraryItemDto, LibraryResponse, ModelDto } from '../../api/index.ts';
import { costText, ModelMark } from '../../model-form/index.ts';
import { matches } from '../../text.ts';
import { EmptyState, MediaThumb, uiWords, useIsPhone, usePreference } from '../../ui/index.ts';
import classes from './ModelChooser.module.css';
import { words } from './words.ts';

const KINDS = ['image', 'video', 'vector', 'model3d', 'mask'] as const;
const ALL = 'all';
const MOST_FAVOURITES = 12;

interface ModelChooserProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly models: readonly ModelDto[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

/** All models as cards, filtered by words and by kind. Enter chooses the first. */
export function ModelChooser({ opened, onClose, ...choice }: ModelChooserProps) {
  const isPhone = useIsPhone();
  return (
    <Modal opened={opened} onClose={onClose} title={words.chooseModel} size={860} fullScreen={isPhone}>
      <Choice {...choice} />
    </Modal>
  );
}

function Choice({ models, chosen, onChoose }: Omit<ModelChooserProps, 'opened' | 'onClose'>) {
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<string>(ALL);
  const { isFavourite, toggle } = useFavourites();
  const exampleOf = useExamples();
  const offered = models
    .filter((model) => (kind === ALL || model.kind === kind) && isFound(model, search))
    .sort((one, other) => Number(isFavourite(other.id)) - Number(isFavourite(one.id)));
  const kinds = KINDS.filter((each) => models.some((model) => model.kind === each));
  const first = offered[0];
  return (
    <Stack>
      <TextInput
        data-autofocus
        aria-label={words.searchModels}
        placeholder={words.searchModels}
        leftSection={<Search size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && first && onChoose(first.id)}
      />
      {kinds.length > 1 && (
        <SegmentedControl
          className={classes.kinds}
          aria-label={words.kind}
          value={kind}
          onChange={setKind}
          data={[
            { value: ALL, label: words.allKinds },
            ...kinds.map((value) => ({ value, label: uiWords.generation.kinds[value] })),
          ]}
        />
      )}
      {first ? (
        <ul className={classes.cards}>
          {offered.map((model) => (
            <li key={model.id} className={classes.item}>
              <ModelCard
                model={model}
                example={exampleOf(model.id)}
                isChosen={model.id === chosen}
                onClick={() => onChoose(model.id)}
              />
              <Favourite model={model} isOn={isFavourite(model.id)} onClick={() => toggle(model.id)} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState title={words.noModels} hint={words.noModelsHint} />
      )}
    </Stack>
  );
}

const isFound = ({ id, title, description, provider }: ModelDto, search: string) =>
  matches(search, id, title, description, provider);

/** The ids of the models that come first, for the account. */
function useFavourites() {
  const [kept, keep] = usePreference('favourite_models');
  const ids = kept ? kept.split(',') : [];
  return {
    isFavourite: (id: string) => ids.includes(id),
    toggle: (id: string) =>
      keep((ids.includes(id) ? ids.filter((each) => each !== id) : [id, ...ids].slice(0, MOST_FAVOURITES)).join()),
  };
}

/** The newest picture of a model, among those of the library that are read. */
function useExamples() {
  const queries = useQueryClient();
  const items = queries
    .getQueriesData<InfiniteData<LibraryResponse>>({ queryKey: [{ _id: 'libraryList', _infinite: true }] })
    .flatMap(([, data]) => data?.pages.flatMap((page) => page.items) ?? []);
  return (model: string) => items.find((item) => item.model === model && item.thumbnails.length > 0);
}

interface FavouriteProps {
  readonly model: ModelDto;
  readonly isOn: boolean;
  readonly onClick: () => void;
}

function Favourite({ model, isOn, onClick }: FavouriteProps) {
  return (
    <ActionIcon
      className={classes.favourite}
      variant="transparent"
      c={isOn ? undefined : 'dimmed'}
      aria-label={words.favourite(model.title)}
      aria-pressed={isOn}
      onClick={onClick}
    >
      <Star size={17} fill={isOn ? 'currentColor' : 'none'} aria-hidden />
    </ActionIcon>
  );
}

interface ModelCardProps {
  readonly model: ModelDto;
  readonly example: LibraryItemDto | undefined;
  readonly isChosen?: boolean;
  readonly onClick: () => void;
}

function ModelCard({ model, example, isChosen = false, onClick }: ModelCardProps) {
  return (
    <UnstyledButton className={classes.card} aria-pressed={isChosen} onClick={onClick}>
      {example ? (
        <MediaThumb media={example} alt="" width={56} className={classes.example} />
      ) : (
        <ModelMark model={model} />
      )}
      <span className={classes.text}>
        <Group component="span" gap={6} wrap="nowrap">
          <Text span fw={600} truncate>
            {model.title}
          </Text>
          {isChosen && <Check size={16} aria-hidden />}
        </Group>
        <Text span size="sm" c="dimmed" lineClamp={2}>
          {model.description}
        </Text>
        <Group component="span" gap={6} mt={4}>
          <Badge component="span" variant="default" tt="none" fw={500} radius="sm">
            {model.provider}
          </Badge>
          <Text span size="xs" c="dimmed">
            {costText(model)}
          </Text>
        </Group>
      </span>
    </UnstyledButton>
  );
}
