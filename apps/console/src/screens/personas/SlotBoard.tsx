import { SimpleGrid } from '@mantine/core';
import type { PersonaDto } from '../../api/index.ts';
import { Note, Section } from '../../ui/index.ts';
import type { PersonaPictures } from './persona-pictures.ts';
import { SlotTile } from './SlotTile.tsx';
import classes from './SlotBoard.module.css';
import { words } from './words.ts';

interface SlotBoardProps {
  readonly persona: PersonaDto;
  readonly pictures: PersonaPictures;
  readonly onLook: (trainingId: number) => void;
}

const LARGE = [1, 7];
const SMALL = [2, 3, 4, 5, 6];

/** The seven slots: style and main image in large, then the further styles. */
export function SlotBoard({ persona, ...rest }: SlotBoardProps) {
  const tile = (slot: number) => (
    <SlotTile key={slot} slot={persona.slots[slot - 1]!} persona={persona} isLarge={LARGE.includes(slot)} {...rest} />
  );
  return (
    <Section title={words.slots}>
      <SimpleGrid cols={2} spacing={16}>
        {LARGE.map(tile)}
      </SimpleGrid>
      <Note mt="lg" mb="xs">
        {words.furtherStyles}
      </Note>
      <div className={classes.small}>{SMALL.map(tile)}</div>
    </Section>
  );
}
