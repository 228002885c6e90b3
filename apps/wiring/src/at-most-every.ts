/**
 * Passes a message on unless it passed the same one within so many seconds: an unreachable server makes every attempt
 * of every caller fail with the same message.
 */
export function atMostEvery(seconds: number, say: (message: string) => void): (message: string) => void {
  const saidAt = new Map<string, number>();
  return (message) => {
    const now = Date.now();
    if (now - (saidAt.get(message) ?? -Infinity) < seconds * 1000) return;
    for (const [said, at] of saidAt) if (now - at >= seconds * 1000) saidAt.delete(said);
    saidAt.set(message, now);
    say(message);
  };
}
