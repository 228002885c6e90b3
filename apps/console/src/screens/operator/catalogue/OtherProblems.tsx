import { Alert, List } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { words } from './words.ts';

/** The problems of an entry at fields that the form does not have. */
export function OtherProblems({ problems }: { readonly problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <Alert role="alert" color="red" icon={<CircleAlert aria-hidden />} title={words.model.wrong}>
      <List size="sm">
        {problems.map((problem) => (
          <List.Item key={problem}>{problem}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
