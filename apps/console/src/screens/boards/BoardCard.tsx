import { ActionIcon, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ellipsis, Images, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type BoardDto, boardsMediaListOptions } from '../../api/index.ts';
import { useRole } from '../../shell/index.ts';
import { MediaThumb } from '../../ui/index.ts';
import { BoardDialogs, type BoardDialog } from './BoardDialogs.tsx';
import classes from './BoardGrid.module.css';
import { words } from './words.ts';

export function BoardCard({ board }: { readonly board: BoardDto }) {
  const mayChange = useRole('admin');
  return (
    <article className={classes.card}>
      <Cover board={board} />
      <div className={classes.foot}>
        <div className={classes.text}>
          <Text component="h2" fw={650} truncate dir="auto" title={board.name}>
            <Link to="/boards/$boardId" params={{ boardId: String(board.id) }} className={classes.link}>
              {board.name}
            </Link>
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {words.contents(board.media_count, board.folders_count)}
          </Text>
        </div>
        {mayChange && <CardMenu board={board} />}
      </div>
    </article>
  );
}

/** Shows the newest media. Only visible cards are rendered, so only their covers are loaded. */
function Cover({ board: { id, media_count } }: { readonly board: BoardDto }) {
  const { data } = useQuery({
    ...boardsMediaListOptions({ path: { board_id: id }, query: { limit: 6 } }),
    enabled: media_count > 0,
    staleTime: 60_000,
  });
  const shown = (data?.media ?? []).filter(({ url }) => url !== null).slice(0, 3);
  return (
    <div className={classes.cover} data-count={shown.length} aria-hidden>
      {shown.map((media) => (
        <div key={media.id} className={classes.thumb}>
          <MediaThumb media={{ ...media, url: media.url! }} alt="" width={200} />
        </div>
      ))}
      {shown.length === 0 && (
        <div className={classes.none}>
          <Images size={34} strokeWidth={1.25} />
        </div>
      )}
    </div>
  );
}

function CardMenu({ board }: { readonly board: BoardDto }) {
  const [dialog, setDialog] = useState<BoardDialog | null>(null);
  return (
    <div className={classes.menu}>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={words.actionsOf(board.name)}>
            <Ellipsis size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => setDialog('rename')}>
            {words.rename}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Trash2 size={16} aria-hidden />} onClick={() => setDialog('delete')}>
            {words.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <BoardDialogs board={board} dialog={dialog} onClose={() => setDialog(null)} />
    </div>
  );
}
