import { Textarea } from '@mantine/core';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { words } from './words.ts';

interface PromptInputProps {
  readonly ref?: Ref<HTMLTextAreaElement>;
  /** The minimum and the maximum number of rows. */
  readonly rows?: readonly [number, number];
  /** True if only screen readers say the label. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly error?: string;
  readonly onChange: (prompt: string) => void;
  /** Beside the text. */
  readonly rightSection?: ReactNode;
  readonly onFocus?: () => void;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  readonly 'data-first-focus'?: boolean;
}

export function PromptInput({ ref, rows = [3, 12], isLabelHidden = false, onChange, ...props }: PromptInputProps) {
  return (
    <Textarea
      ref={ref}
      autosize
      minRows={rows[0]}
      maxRows={rows[1]}
      dir="auto"
      maxLength={10_000}
      label={isLabelHidden ? undefined : words.prompt}
      aria-label={isLabelHidden ? words.prompt : undefined}
      placeholder={words.promptHint}
      {...props}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
