import { type ButtonProps } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { ActionButton } from './ActionButton.tsx';
import { words } from './words.ts';

/** Copies a text. Browsers allow this only on HTTPS and localhost; elsewhere the button says to copy by hand. */
export function CopyButton({ value, ...button }: { readonly value: string } & ButtonProps) {
  const { copied, copy, error } = useClipboard();
  const Icon = copied ? Check : Copy;
  const label = copied ? words.copied : error ? words.copyByHand : words.copy;
  return (
    <ActionButton
      icon={Icon}
      label={label}
      variant="default"
      onClick={() => copy(value)}
      aria-live="polite"
      {...button}
    />
  );
}
