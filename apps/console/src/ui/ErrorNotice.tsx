import { Alert, Code, Group, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { ActionButton } from './ActionButton.tsx';
import { Note } from './Hint.tsx';
import { X12Error } from '../api/index.ts';
import { capitalized } from '../text.ts';
import { words } from './words.ts';

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly title?: string;
  readonly onRetry?: () => void;
}

/** An error, with the service's message and the request id for reports. */
export function ErrorNotice({ error, title = titleOf(error), onRetry }: ErrorNoticeProps) {
  return (
    <Alert role="alert" color="red" variant="light" icon={<CircleAlert aria-hidden />} title={title}>
      <ErrorText error={error} />
      {onRetry && (
        <Group mt="sm">
          <ActionButton label={words.retry} size="xs" variant="default" onClick={onRetry} />
        </Group>
      )}
    </Alert>
  );
}

/** The title of an error. */
export function titleOf(error: unknown): string {
  return isUnreachable(error) ? words.unreachable : words.failed;
}

/** The service's message. If the service does not respond, advice replaces the client's message, which is for programs. */
function messageOf(error: unknown): string {
  if (isUnreachable(error)) return words.unreachableHint;
  const message = error instanceof Error ? error.message : String(error);
  return capitalized(message);
}

/** Reports whether the service did not respond. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof X12Error && ['network_error', 'timeout', 'unexpected_response'].includes(error.code);
}

/** The message of an error, with its request id. */
export function ErrorText({ error }: { readonly error: unknown }) {
  const requestId = error instanceof X12Error ? error.requestId : null;
  return (
    <>
      <Text size="sm" c="var(--mantine-color-text)">
        {messageOf(error)}
      </Text>
      {requestId && (
        <Note mt={4} c="var(--mantine-color-text)">
          {words.requestId} <Code>{requestId}</Code>
        </Note>
      )}
    </>
  );
}
