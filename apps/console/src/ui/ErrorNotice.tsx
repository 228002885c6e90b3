import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { X12Error } from '../api/index.ts';
import { words } from '../words.ts';

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly title?: string;
  readonly onRetry?: () => void;
}

/** An error in the place of what could not be shown or done: what the service said, and the id to report it by. */
export function ErrorNotice({ error, title = titleOf(error), onRetry }: ErrorNoticeProps) {
  return (
    <Alert role="alert" color="red" variant="light" icon={<CircleAlert aria-hidden />} title={title}>
      <ErrorText error={error} />
      {onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>
            {words.ui.retry}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

/** What an error is called where it stands alone. */
export function titleOf(error: unknown): string {
  return isUnreachable(error) ? words.ui.unreachable : words.ui.failed;
}

/** What the service said, as a sentence; the client's own words for a service that does not answer are for programs. */
function messageOf(error: unknown): string {
  if (isUnreachable(error)) return words.ui.unreachableHint;
  const message = error instanceof Error ? error.message : String(error);
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** Whether no response of the service came. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof X12Error && ['network_error', 'timeout', 'unexpected_response'].includes(error.code);
}

/** What an error says, with the id of its request. */
export function ErrorText({ error }: { readonly error: unknown }) {
  const requestId = error instanceof X12Error ? error.requestId : null;
  return (
    <>
      <Text size="sm" c="var(--mantine-color-text)">
        {messageOf(error)}
      </Text>
      {requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          {words.ui.requestId} <Code>{requestId}</Code>
        </Text>
      )}
    </>
  );
}
