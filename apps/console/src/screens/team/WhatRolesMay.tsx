import { SimpleGrid, Text } from '@mantine/core';
import { shellWords } from '../../shell/index.ts';
import { Hint, Section } from '../../ui/index.ts';
import { words } from './words.ts';

const ROLES = ['owner', 'admin', 'member'] as const;

export function WhatRolesMay() {
  return (
    <Section title={words.whatRolesMay}>
      <SimpleGrid component="dl" cols={{ base: 1, sm: 3 }} spacing="lg" m={0}>
        {ROLES.map((role) => (
          <div key={role}>
            <Text component="dt" fw={600}>
              {shellWords.roles[role]}
            </Text>
            <Hint component="dd" m={0}>
              {shellWords.rights[role]}
            </Hint>
          </div>
        ))}
      </SimpleGrid>
    </Section>
  );
}
