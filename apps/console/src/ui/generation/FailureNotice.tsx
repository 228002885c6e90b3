import { Alert, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { GenerationResponse } from '../../api/index.ts';
import { words } from '../../words.ts';

interface FailureNoticeProps {
  readonly generation: Pick<GenerationResponse, 'id' | 'error' | 'cost'>;
  /** What can be done, as buttons. */
  readonly children?: ReactNode;
}

/** Why a generation failed, that it cost nothing, and what to do. */
export function FailureNotice({ generation, children }: FailureNoticeProps) {
  const { code, message } = generation.error ?? { code: '', message: words.ui.generation.unknownFailure };
  return (
    <Alert color="red" variant="light" icon={<CircleAlert aria-hidden />} title={sentence(message)}>
      <Text size="sm" c="var(--mantine-color-text)">
        {adviceFor(code)}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        {words.ui.generation.nothingCharged(generation.id)}
      </Text>
      {children}
    </Alert>
  );
}

/** What to do about a generation that failed with this code. */
export function adviceFor(code: string): string {
  const advice: Readonly<Record<string, string>> = words.ui.generation.advice;
  return advice[code] ?? words.ui.generation.otherAdvice;
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
