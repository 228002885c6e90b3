import type { AuditLog } from '#audit-log';
import {
  assertMay,
  may,
  typedPassword,
  type Actor,
  type Passwords,
  type TokenSecret,
  type TokenSecrets,
} from '#identity';
import { labelOf } from '#files';
import { invalidField, notFound, type Clock, type Page, type PageRequest, type UnitOfWork } from '#kernel';
import {
  allowanceOf,
  expiryOf,
  hasOverlay,
  MAX_SHARE_PASSWORD,
  MIN_SHARE_PASSWORD,
  shareNameOf,
  watermarkOf,
  type Allowance,
  type Share,
  type SharedItems,
} from './domain/share.ts';
import type { MarkedPictureStore, ShareChanges, ShareStore, ShareView, ShareViews } from './ports.ts';
import type { RequestedPictures } from './requested-pictures.ts';

type Caller = Pick<Actor, 'workspaceId' | 'userId' | 'role'>;

/** A member's changes of a link; absent properties stay as they are. */
export interface ShareRequest {
  readonly name?: string;
  readonly allow?: readonly Allowance[];
  /** `null` for none. */
  readonly password?: string | null;
  readonly watermark?: string | null;
  /** `true` for the operator's text. */
  readonly label?: boolean | string | null;
  readonly expiresAt?: Date | null;
}

interface Collaborators {
  readonly shares: ShareStore;
  readonly views: ShareViews;
  readonly pictures: Pick<MarkedPictureStore, 'forget'>;
  readonly requested: Pick<RequestedPictures, 'requestFirst'>;
  readonly secrets: TokenSecrets;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly auditLog: Pick<AuditLog, 'record'>;
  /** The operator's text of labels. A link keeps the text that it was given. */
  readonly label: string;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

/** Links for guests. Admins and the owner make them; who made a link may read and change it in any role. */
export class Shares {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Makes a link. Its secret is shown only once.
   *
   * @throws DomainError `not_found` for something that is not in the workspace; `validation_failed`
   */
  async create(
    { workspaceId, userId }: Caller,
    items: SharedItems,
    request: ShareRequest & { readonly allow: readonly Allowance[] },
  ): Promise<{ readonly id: number; readonly secret: TokenSecret }> {
    const { shares, secrets, auditLog, unitOfWork, clock } = this.deps;
    const changes = await this.#changesOf(request);
    const { allow, passwordHash = null, watermark = null, label = null, expiresAt = null } = changes;
    const secret = secrets.create();
    return unitOfWork.run(async () => {
      const nameOfItems = await shares.nameOf(workspaceId, items);
      if (nameOfItems === null) throw notFound(items.of);
      const terms = { name: changes.name ?? nameOfItems, allow: allow!, passwordHash, watermark, label, expiresAt };
      const share = { ...terms, workspaceId, createdBy: userId, items };
      const id = await shares.add({ ...share, hash: secrets.hash(secret), createdAt: clock.now() });
      await auditLog.record({ action: 'share.create', target: id, details: { of: items.of, allow: allow! } });
      if (hasOverlay(terms)) await this.#wantPictures(workspaceId, id);
      return { id, secret };
    });
  }

  /** Members see the links that they may change. */
  list(caller: Caller, boardId: number | null, page: PageRequest): Promise<Page<ShareView>> {
    const createdBy = may('share.change', caller) ? null : caller.userId;
    return this.deps.views.list(caller.workspaceId, { boardId, createdBy }, page);
  }

  /** @throws DomainError `not_found`, `forbidden` */
  async get(caller: Caller, id: number): Promise<ShareView> {
    const share = await this.deps.views.find(caller.workspaceId, id);
    if (!share) throw notFound('share');
    assertMay('share.change', caller, share);
    return share;
  }

  /**
   * Changes a link. With another password all guests must enter again.
   *
   * @throws DomainError `not_found`, `forbidden`, `validation_failed`
   */
  async update(caller: Caller, id: number, request: ShareRequest): Promise<void> {
    const { shares, pictures, auditLog, unitOfWork } = this.deps;
    await this.get(caller, id);
    const changes = await this.#changesOf(request);
    await unitOfWork.run(async () => {
      const share = await this.#lock(caller, id);
      const isOtherPassword = changes.passwordHash !== undefined;
      const passwordVersion = share.passwordVersion + (isOtherPassword ? 1 : 0);
      await shares.update(id, { ...changes, passwordVersion });
      const fields = Object.keys(request).filter((name) => request[name as keyof ShareRequest] !== undefined);
      await auditLog.record({ action: 'share.update', target: id, details: { fields } });
      const { watermark = share.watermark, label = share.label } = changes;
      if (watermark === share.watermark && label === share.label) return;
      await pictures.forget(id);
      if (hasOverlay({ watermark, label })) await this.#wantPictures(caller.workspaceId, id);
    });
  }

  /**
   * Switches a link off at once, for guests who look at it too.
   *
   * @throws DomainError `not_found`, `forbidden`
   */
  delete(caller: Caller, id: number): Promise<void> {
    return this.deps.unitOfWork.run(async () => {
      await this.#lock(caller, id);
      await this.deps.auditLog.record({ action: 'share.delete', target: id, details: {} });
      await this.deps.shares.delete(id);
    });
  }

  async #lock(caller: Caller, id: number): Promise<Share> {
    const share = await this.deps.shares.lock(caller.workspaceId, id);
    if (!share) throw notFound('share');
    assertMay('share.change', caller, share);
    return share;
  }

  async #wantPictures(workspaceId: number, id: number): Promise<void> {
    await this.deps.requested.requestFirst((await this.deps.shares.lock(workspaceId, id))!);
  }

  async #changesOf({ name, allow, password, watermark, label, expiresAt }: ShareRequest): Promise<ShareChanges> {
    return {
      ...(name === undefined ? {} : { name: shareNameOf(name) }),
      ...(allow === undefined ? {} : { allow: allowanceOf(allow) }),
      ...(watermark === undefined ? {} : { watermark: watermark === null ? null : watermarkOf(watermark) }),
      ...(label === undefined ? {} : { label: labelOf(label, this.deps.label) }),
      ...(expiresAt === undefined
        ? {}
        : { expiresAt: expiresAt === null ? null : expiryOf(expiresAt, this.deps.clock.now()) }),
      ...(password === undefined ? {} : { passwordHash: password === null ? null : await this.#hash(password) }),
    };
  }

  #hash(password: string) {
    const { length } = [...password];
    if (length < MIN_SHARE_PASSWORD || length > MAX_SHARE_PASSWORD) {
      throw invalidField('password', `must have ${MIN_SHARE_PASSWORD} to ${MAX_SHARE_PASSWORD} characters`);
    }
    return this.deps.passwords.hash(typedPassword(password));
  }
}
