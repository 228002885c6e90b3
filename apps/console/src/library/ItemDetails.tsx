import { ActionIcon, Stack, Text, Tooltip } from '@mantine/core';
import type { GenerationResponse } from '../api/index.ts';
import { FactList, formatOf, Lineage, number, When } from '../ui/index.ts';
import { words } from '../words.ts';
import type { Names } from '../shell/index.ts';
import { GenerationFacts } from './GenerationFacts.tsx';
import { TagsField } from './LibraryFilters.tsx';
import classes from './Library.module.css';
import { Stars } from './Stars.tsx';
import type { LibraryState } from './library-query.ts';
import type { Item } from './item.ts';
import type { Mark } from './use-library.ts';

const said = words.library;

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
          {said.rate}
        </Text>
        <Stars value={rating} size="lg" aria-labelledby="rating" onRate={(stars) => onMark({ rating: stars })} />
      </div>
      <TagsField tags={tags} onChange={changeTags} />
      {colors.length > 0 && (
        <div>
          <Text component="h2" fw={600} mb={6}>
            {said.colors}
          </Text>
          <div className={classes.colors}>
            {colors.map((color) => (
              <Tooltip key={color} label={said.findColor(color)}>
                <ActionIcon
                  variant="transparent"
                  className={classes.color}
                  style={{ background: color }}
                  aria-label={said.findColor(color)}
                  onClick={() => onFind({ color })}
                />
              </Tooltip>
            ))}
          </div>
        </div>
      )}
      {generation && <Lineage generation={generation} />}
      {generation && <GenerationFacts generation={generation} names={names} />}
      <FactList
        facts={[
          ...(generation ? [] : briefOf(item, names)),
          [said.facts.origin, said.origins[item.origin]],
          [said.facts.file, `${item.filename}, ${formatOf(item.content_type)}`],
          [said.facts.size, width && height ? said.facts.pixels(number(width), number(height)) : null],
          [said.facts.added, <When key="at" at={item.created_at} size="sm" />],
        ]}
      />
    </Stack>
  );
}

/** What the library says of the settings of an item, until its generation is read. */
function briefOf({ prompt, model, persona_id }: Item, names: Names) {
  const { settings } = words.ui;
  return [
    [settings.prompt, prompt],
    [settings.model, model && names.nameOf('models', model)],
    [settings.persona, persona_id && names.nameOf('personas', persona_id)],
  ] as const;
}
