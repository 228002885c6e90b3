/** Calls `read` at most once in so many milliseconds: calls within that time share its result. */
export function cached<T>(read: () => Promise<T>, milliseconds: number): () => Promise<T> {
  let last: Promise<T> | null = null;
  let endsAt = 0;
  return () => {
    if (last && Date.now() < endsAt) return last;
    endsAt = Date.now() + milliseconds;
    return (last = read());
  };
}
