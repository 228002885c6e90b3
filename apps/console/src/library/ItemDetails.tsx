import { ActionIcon, Stack, Text, Tooltip } from '@mantine/core';
import type { GenerationResponse } from '../api/index.ts';
import { FactList, formatOf, Lineage, number, uiWords, When } from '../ui/index.ts';
import type { Names } from '../shell/index.ts';
import { GenerationFacts } from './GenerationFacts.tsx';
import { TagsField } from './LibraryFilters.tsx';
import classes from './Library.module.css';
import { Provenance } from './provenance/Provenance.tsx';
import { Stars } from './Stars.tsx';
import type { LibraryState } from './library-query.ts';
import type { Item } from './item.ts';
import type { Mark } from './use-library.ts';
import { words } from './words.ts';

interface ItemDetailsProps {
  readonly item: Item;
  /** The generation of an output, once it is read. */
  readonly generation: GenerationResponse | null;
  readonly names: Names;
  readonly onMark: (mark: Mark) => void;
  readonly onFind: (filter: Partial<LibraryState>) => void;
}

/** The rating, tags, colours and settings of an item, and where it came from. */
export function ItemDetails({ item, generation, names, onMark, onFind }: ItemDetailsProps) {
  const { tags, rating, colors, width, height } = item;
  const changeTags = (next: readonly string[]) =>
    onMark({ add: next.filter((tag) => !tags.includes(tag)), remove: tags.filter((tag) => !next.includes(tag)) });
  return (
    <Stack gap="lg">
      <div>
        <Text component="h2" fw={600} mb={6} id="rating">
          {words.rate}
        </Text>
        <Stars value={rating} size="lg" aria-labelledby="rating" onRate={(stars) => onMark({ rating: stars })} />
      </div>
      <TagsField tags={tags} onChange={changeTags} />
      {colors.length > 0 && (
        <div>
          <Text component="h2" fw={600} mb={6}>
            {words.colors}
          </Text>
          <div className={classes.colors}>
            {colors.map((color) => (
              <Tooltip key={color} label={words.findColor(color)}>
                <ActionIcon
                  variant="transparent"
                  className={classes.color}
                  style={{ background: color }}
                  aria-label={words.findColor(color)}
                  onClick={() => onFind({ color })}
                />
              </Tooltip>
            ))}
          </div>
        </div>
      )}
      <Provenance fileId={item.id} names={names} />
      {generation && <Lineage generation={generation} />}
      {generation && <GenerationFacts generation={generation} names={names} />}
      <FactList
        facts={[
          ...(generation ? [] : briefOf(item, names)),
          [words.facts.origin, words.origins[item.origin]],
          [words.facts.file, `${item.filename}, ${formatOf(item.content_type)}`],
          [words.facts.size, width && height ? words.facts.pixels(number(width), number(height)) : null],
          [words.facts.added, <When key="at" at={item.created_at} size="sm" />],
        ]}
      />
    </Stack>
  );
}

/** Settings of an item as the library knows them, until its generation is read. */
function briefOf({ prompt, model, persona_id }: Item, names: Names) {
  const { settings } = uiWords;
  return [
    [settings.prompt, prompt],
    [settings.model, model && names.nameOf('models', model)],
    [settings.persona, persona_id && names.nameOf('personas', persona_id)],
  ] as const;
}
