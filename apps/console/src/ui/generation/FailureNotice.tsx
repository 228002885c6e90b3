import { Alert, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Note } from '../Hint.tsx';
import type { GenerationResponse } from '../../api/index.ts';
import { capitalized } from '../../text.ts';
import { words } from '../words.ts';

interface FailureNoticeProps {
  readonly generation: Pick<GenerationResponse, 'id' | 'error' | 'cost'>;
  /** Buttons. */
  readonly children?: ReactNode;
}

/** The reason of a failed generation, advice, and that nothing was charged. */
export function FailureNotice({ generation, children }: FailureNoticeProps) {
  const { code, message } = generation.error ?? { code: '', message: words.generation.unknownFailure };
  return (
    <Alert color="red" variant="light" icon={<CircleAlert aria-hidden />} title={capitalized(message)}>
      <Text size="sm" c="var(--mantine-color-text)">
        {adviceFor(code)}
      </Text>
      <Note mt={4}>{words.generation.nothingCharged(generation.id)}</Note>
      {children}
    </Alert>
  );
}

/** Advice about a failure with this code. @param otherwise advice for codes without their own */
export function adviceFor(code: string, otherwise: string = words.generation.otherAdvice): string {
  const advice: Readonly<Record<string, string>> = words.generation.advice;
  return advice[code] ?? otherwise;
}
