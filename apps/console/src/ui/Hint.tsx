import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** An explanation, in dimmed text. */
export const Hint = Text.withProps({ size: 'sm', c: 'dimmed' });

/** A remark, in small and dimmed text. */
export const Note = Text.withProps({ size: 'xs', c: 'dimmed' });

const strong = { size: 'sm', fw: 600 } as const;

/** A link to another screen, below or beside a form. */
export const StrongLink = Anchor.withProps<typeof Link>({ component: Link, ...strong });

/** A button that looks like such a link. */
export const StrongButton = Anchor.withProps<'button'>({ component: 'button', type: 'button', ...strong });
