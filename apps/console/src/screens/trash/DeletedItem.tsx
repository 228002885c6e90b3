import { Avatar, Group, Text } from '@mantine/core';
import { File, Folder, Image, Images, UserRound } from 'lucide-react';
import type { TrashEntryDto } from '../../api/index.ts';
import { Hint, Picture } from '../../ui/index.ts';
import classes from './DeletedItem.module.css';

const ICONS = { board: Images, folder: Folder, media: File, item: Image, persona: UserRound } as const;

interface DeletedItemProps {
  readonly entry: TrashEntryDto;
  readonly name: string;
  readonly kind: string;
}

/** A deleted item. A picture shows only its placeholder, because its file is no longer served. */
export function DeletedItem({ entry, name, kind }: DeletedItemProps) {
  const Icon = ICONS[entry.kind];
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      {entry.placeholder ? (
        <Picture src={null} alt="" placeholder={entry.placeholder} className={classes.colours} />
      ) : (
        <Avatar aria-hidden color="sea" variant="light" size={36} radius="sm">
          <Icon size={18} />
        </Avatar>
      )}
      <div className={classes.text}>
        <Text component="bdi" size="md" fw={560} lineClamp={2} title={name}>
          {name}
        </Text>
        <Hint lineClamp={1} dir="auto">
          {kind}
        </Hint>
      </div>
    </Group>
  );
}
