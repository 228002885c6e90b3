/** Shares the result of `read` among all calls within so many milliseconds. */
export function cached<T>(read: () => Promise<T>, milliseconds: number): () => Promise<T> {
  let last: Promise<T> | null = null;
  let endsAt = 0;
  return () => {
    if (last && Date.now() < endsAt) return last;
    endsAt = Date.now() + milliseconds;
    return (last = read());
  };
}
