/** `1 member`, `3 members` */
export function count(many: number, one: string): string {
  return `${many.toLocaleString('en')} ${many === 1 ? one : `${one}s`}`;
}
