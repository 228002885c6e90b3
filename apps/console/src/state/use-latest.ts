import { type RefObject, useEffect, useRef } from 'react';

/** The value of the latest render, for callbacks that outlive a render. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
