/**
 * Whether a stored file can't be read any more; of what it has not, a bucket tells strangers only that they may not.
 */
export async function isGone(url: string): Promise<boolean> {
  const { status } = await fetch(url);
  return status === 404 || status === 403;
}
