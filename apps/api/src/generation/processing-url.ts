/** What clients poll `/v2/results` with. */
export function processingUrlOf(generationId: number): string {
  return `gen_${generationId}`;
}

/** The other way round, of a text that the form has checked. */
export function generationIdOf(processingUrl: string): number {
  return Number(processingUrl.slice('gen_'.length));
}
