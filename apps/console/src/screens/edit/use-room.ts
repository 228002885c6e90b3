import { useCallback, useEffect, useMemo, useState } from 'react';
import { useMe } from '../../shell/index.ts';
import { useStore } from '../../state/index.ts';
import { type Action, changed, drawingOf, type Step } from './drawing.ts';
import { KeptRooms, type Room } from './kept-rooms.ts';

let keptRooms: KeptRooms | undefined;

function roomsOf(owner: string): KeptRooms {
  if (keptRooms?.owner !== owner) keptRooms = new KeptRooms(sessionStorage, owner);
  return keptRooms;
}

/** What is done with a picture, kept across screens and reloads of this tab. */
export function useRoom(url: string) {
  const { user, workspace } = useMe();
  const rooms = roomsOf(`${user.id}/${workspace.id}`);
  const [room, setRoom] = useState(() => rooms.of(url));
  const isKept = useStore(rooms.isKept);
  useEffect(() => {
    if (isUntouched(room)) rooms.forget(url);
    else rooms.keep(url, room);
  }, [rooms, url, room]);
  const change = useCallback((part: Partial<Room>) => setRoom((before) => ({ ...before, ...part })), []);
  const act = useCallback(
    (action: Action) => setRoom((before) => ({ ...before, history: changed(before.history, action) })),
    [],
  );
  const add = useCallback((step: Step) => act({ type: 'add', step }), [act]);
  const drawing = useMemo(() => drawingOf(room.history), [room.history]);
  return { room, drawing, isKept, change, act, add };
}

function isUntouched({ history, prompt, generation, objects }: Room): boolean {
  return history.steps.length === 0 && prompt === '' && generation === null && objects === null;
}
