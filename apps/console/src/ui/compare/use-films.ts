import { type RefObject, useState } from 'react';

/** Seconds that videos may be apart before they are put in step. */
const APART = 0.12;

/** Plays all videos of a group in step. When the longest has ended, all begin again. */
export function useFilms(group: RefObject<HTMLElement | null>) {
  const [isPlaying, setPlaying] = useState(false);
  const [time, setTime] = useState(0);
  const [length, setLength] = useState(0);
  const all = () => [...(group.current?.querySelectorAll('video') ?? [])];
  const longest = () => all().reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));
  const seek = (to: number) => {
    setTime(to);
    for (const film of all()) film.currentTime = Math.min(to, lengthOf(film));
  };
  const play = () => {
    setPlaying(true);
    // A video that can't be played stands still; the others play on.
    for (const film of all()) void film.play().catch(() => undefined);
  };
  const pause = () => {
    setPlaying(false);
    for (const film of all()) film.pause();
  };
  return {
    isPlaying,
    time,
    length,
    seek,
    toggle: () => (isPlaying ? pause() : play()),
    /** Handlers of each video. */
    handlers: {
      onLoadedMetadata: () => setLength(lengthOf(longest())),
      onTimeUpdate: ({ currentTarget }: { readonly currentTarget: HTMLVideoElement }) => {
        if (currentTarget !== longest()) return;
        const { currentTime } = currentTarget;
        setTime(currentTime);
        for (const film of all()) {
          if (film !== currentTarget && !film.ended && Math.abs(film.currentTime - currentTime) > APART) {
            film.currentTime = Math.min(currentTime, lengthOf(film));
          }
        }
      },
      onEnded: ({ currentTarget }: { readonly currentTarget: HTMLVideoElement }) => {
        if (currentTarget !== longest()) return;
        seek(0);
        play();
      },
    },
  };
}

export type Films = ReturnType<typeof useFilms>;

const lengthOf = ({ duration }: HTMLVideoElement) => (Number.isFinite(duration) ? duration : 0);
