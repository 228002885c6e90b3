import { Alert, Anchor, Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CalendarX2 } from 'lucide-react';
import { useSubject } from '../../../ui/index.ts';
import { useRead } from '../operator-queries.ts';
import { endingModels } from './ends.ts';
import { EndOfModel } from './EndOfModel.tsx';
import { ModelUses } from './ModelUses.tsx';
import { words } from './words.ts';

/** Notice of models that end soon or are gone. Renders nothing without any. */
export function EndingModels() {
  const { data } = useRead('models');
  const uses = useSubject<{ readonly id: string; readonly title: string }>();
  const ending = endingModels(data?.models ?? []);
  if (ending.length === 0) return null;
  return (
    <Alert role="status" color="yellow" icon={<CalendarX2 aria-hidden />} title={words.life.notice(ending.length)}>
      <Stack component="ul" gap="xs" p={4} m={0} style={{ listStyle: 'none' }}>
        {ending.map(({ id, title, end }) => (
          <Group component="li" key={id} justify="space-between" gap={4}>
            <div>
              <Anchor component={Link} {...listedAs(id)} c="inherit" size="sm" fw={600}>
                <bdi>{title}</bdi>
              </Anchor>
              <EndOfModel end={end} />
            </div>
            <Button variant="default" size="compact-sm" onClick={() => uses.open({ id, title })}>
              {words.uses.ask}
            </Button>
          </Group>
        ))}
      </Stack>
      <ModelUses of={uses} />
    </Alert>
  );
}

/** The address of a model in the list. */
function listedAs(id: string) {
  return { to: '/operator', search: { part: 'models', q: id } as never } as const;
}
