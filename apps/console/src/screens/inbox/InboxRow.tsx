import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { AtSign, Brush, Cpu, Gavel, Grid3x3, Link2, ListChecks, type LucideIcon, MessageSquare } from 'lucide-react';
import { MediaThumb, When } from '../../ui/index.ts';
import { type Entry, type Kind, placeOf, sentenceOf } from './entries.ts';
import classes from './Inbox.module.css';
import { words } from './words.ts';

const ICONS: Readonly<Record<Kind, LucideIcon>> = {
  mention: AtSign,
  comment: MessageSquare,
  decision: Gavel,
  summary: ListChecks,
  share: Link2,
  batch: Grid3x3,
  style: Brush,
  model: Cpu,
};

/** An entry in one line, which leads to what it is about. */
export function InboxRow({ entry, onOpen }: { readonly entry: Entry; readonly onOpen: () => void }) {
  const { kind, read_at, title, item, text, thumbnails } = entry;
  const Icon = ICONS[kind];
  const [author, rest] = sentenceOf(entry);
  const media = { url: '', content_type: 'image/*', thumbnails };
  return (
    <li>
      <Link {...placeOf(entry)} className={classes.entry} data-unread={read_at === null || undefined} onClick={onOpen}>
        <Icon size={18} aria-hidden />
        <span className={classes.picture}>
          {thumbnails.length > 0 && <MediaThumb media={media} alt="" width={44} />}
        </span>
        <span className={classes.sentence}>
          {read_at === null && <VisuallyHidden>{words.isUnread} </VisuallyHidden>}
          {author !== null && <bdi className={classes.author}>{author}</bdi>} {rest}
          {item !== null && words.on(title)}{' '}
          {text && (
            <span className={classes.text} dir="auto">
              {text}
            </span>
          )}
        </span>
        <span className={classes.time}>
          <When at={entry.created_at} />
        </span>
      </Link>
    </li>
  );
}
