import { assertMay, may, type Actor } from '#identity';

/** An item as a deletion needs it. */
export interface DeletableItem {
  readonly fileId: number;
  readonly name: string;
  /** User id; null if the maker is not known. */
  readonly madeBy: number | null;
}

type Caller = Pick<Actor, 'userId' | 'role'>;

/** Members delete what they made; admins and the owner delete everything. */
export function mayDelete(caller: Caller, item: Pick<DeletableItem, 'madeBy'>): boolean {
  return may('library.delete', caller, targetOf(item));
}

/** @throws DomainError `forbidden` */
export function assertMayDelete(caller: Caller, item: Pick<DeletableItem, 'madeBy'>): void {
  assertMay('library.delete', caller, targetOf(item));
}

function targetOf({ madeBy }: Pick<DeletableItem, 'madeBy'>) {
  return madeBy === null ? {} : { createdBy: madeBy };
}
