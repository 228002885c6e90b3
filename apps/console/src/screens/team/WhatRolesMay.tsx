import { SimpleGrid, Text } from '@mantine/core';
import { Section } from '../../ui/index.ts';
import { words } from '../../words.ts';

const ROLES = ['owner', 'admin', 'member'] as const;

export function WhatRolesMay() {
  return (
    <Section title={words.team.whatRolesMay}>
      <SimpleGrid component="dl" cols={{ base: 1, sm: 3 }} spacing="lg" m={0}>
        {ROLES.map((role) => (
          <div key={role}>
            <Text component="dt" fw={600}>
              {words.shell.roles[role]}
            </Text>
            <Text component="dd" c="dimmed" size="sm" m={0}>
              {words.shell.rights[role]}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Section>
  );
}
