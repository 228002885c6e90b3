import { Title } from '@mantine/core';
import { useCanGoBack, useRouter } from '@tanstack/react-router';
import { ArrowLeft, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/index.ts';
import classes from './Editor.module.css';
import { words } from './words.ts';

/** The way back, the title, and further buttons. */
export function EditorHeader({ children }: { readonly children?: ReactNode }) {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const leave = () => {
    if (canGoBack) router.history.back();
    else void router.navigate({ to: '/library' });
  };
  return (
    <header className={classes.header}>
      <HeaderButton icon={ArrowLeft} label={words.back} onClick={leave} />
      <Title order={1} size="h3" flex={1} ps={6}>
        {words.title}
      </Title>
      {children}
    </header>
  );
}

interface HeaderButtonProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly keys?: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

export function HeaderButton({ icon, label, keys, isDisabled = false, onClick }: HeaderButtonProps) {
  return (
    <IconButton
      icon={icon}
      iconSize={19}
      label={label}
      tooltip={keys ? `${label} (${keys})` : label}
      c={isDisabled ? undefined : 'var(--mantine-color-text)'}
      disabled={isDisabled}
      className={classes.button}
      onClick={onClick}
    />
  );
}
