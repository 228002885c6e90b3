import { Avatar, Group, Text, Tooltip } from '@mantine/core';
import type { Onlooker } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { initialOf } from '../../ui/index.ts';
import { words } from './words.ts';

/** Further people are counted. */
const SHOWN = 4;

/** Other members who look at the board now. */
export function Present({ people }: { readonly people: readonly Onlooker[] }) {
  const me = useMe();
  const others = people.filter(({ user_id: id }) => id !== me.user.id);
  if (others.length === 0) return null;
  const names = others.map(nameOf);
  const further = names.slice(SHOWN);
  return (
    <Group gap="xs" wrap="nowrap" role="group" aria-label={words.alsoHere} miw={0} w={{ base: '100%', xs: 'auto' }}>
      <Avatar.Group spacing={8} component="ul" m={0}>
        {others.slice(0, SHOWN).map((person) => (
          <Tooltip key={person.user_id} label={nameOf(person)}>
            <Avatar component="li" size={32} color="sea" variant="light" tabIndex={0} aria-label={nameOf(person)}>
              <span aria-hidden>{initialOf(nameOf(person))}</span>
            </Avatar>
          </Tooltip>
        ))}
        {further.length > 0 && (
          <Tooltip label={further.join(', ')}>
            <Avatar component="li" size={32} tabIndex={0} aria-label={further.join(', ')}>
              <span aria-hidden>+{further.length}</span>
            </Avatar>
          </Tooltip>
        )}
      </Avatar.Group>
      <Text size="sm" c="dimmed" truncate maw={220} aria-hidden>
        {words.here(names)}
      </Text>
    </Group>
  );
}

const nameOf = ({ name }: Onlooker) => name ?? words.unnamed;
