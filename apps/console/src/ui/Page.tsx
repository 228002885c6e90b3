import { Box, Group, Paper, Stack, Title, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useId } from 'react';
import { Hint } from './Hint.tsx';
import { product } from '../places.ts';
import { EmptyState, type EmptyStateProps } from './EmptyState.tsx';
import classes from './Page.module.css';

interface PageProps {
  readonly title: string;
  /** True if only screen readers say the title. */
  readonly isTitleHidden?: boolean;
  /** True for pictures, which take the whole width of a wide screen. */
  readonly isWide?: boolean;
  readonly hint?: string;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen with its title, which is also the title of the window, its actions and its content. */
export function Page({ title, isTitleHidden = false, isWide = false, hint, actions, children }: PageProps) {
  useWindowTitle(title);
  return (
    <Stack gap="lg" maw={isWide ? undefined : 1240} mx="auto">
      {isTitleHidden ? (
        <VisuallyHidden component="h1">{title}</VisuallyHidden>
      ) : (
        <Group justify="space-between" align="flex-end" gap="sm">
          <Box flex="1 1 240px" miw={0}>
            <Title order={1} lineClamp={3} title={title.length > 60 ? title : undefined}>
              {title}
            </Title>
            {hint && <Hint mt={4}>{hint}</Hint>}
          </Box>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      {children}
    </Stack>
  );
}

/** A screen that has only a message. */
export function EmptyPage(props: Omit<EmptyStateProps, 'order'>) {
  useWindowTitle(props.title);
  return <EmptyState {...props} order={1} />;
}

function useWindowTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title]);
}

interface SectionProps {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a screen on a surface of its own. */
export function Section({ title, actions, children }: SectionProps) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={title && id} p="lg" shadow="xs" className={classes.section}>
      {(title || actions) && (
        <Group justify="space-between" mb="md" gap="sm">
          {title && (
            <Title order={2} id={id}>
              {title}
            </Title>
          )}
          {actions}
        </Group>
      )}
      {children}
    </Paper>
  );
}
