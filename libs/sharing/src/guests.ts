import type { EventLog } from '#events';
import type { FileAccess } from '#files';
import { typedPassword, type Passwords, type TokenSecret, type TokenSecrets } from '#identity';
import { DomainError, notFound, type Clock, type Page, type PageRequest, type UnitOfWork } from '#kernel';
import { guestNameOf, hasEntered, requireOpen, triesPassword, type Guest, type Share } from './domain/share.ts';
import { guestItemOf, needsCopy, playedKey, type GuestItem, type SharedItem } from './domain/shared-item.ts';
import type { GuestStore, SharedContents, SharedFolder } from './ports.ts';
import type { RequestedPictures } from './requested-pictures.ts';

/** Maximum guests of one link. */
const MAX_GUESTS = 1_000;

/** A link with the guest who looks at it; `null` for a guest who is not known. */
export interface Visit {
  readonly share: Share;
  readonly guest: Guest | null;
}

/** A guest who enters: the secret of the cookie is new. */
export interface EnteredGuest {
  readonly guest: Guest;
  readonly secret: TokenSecret;
  /** Folders that the link shows. */
  readonly folders: readonly SharedFolder[];
}

interface Collaborators {
  readonly guests: GuestStore;
  readonly events: EventLog;
  readonly contents: SharedContents;
  readonly requested: Pick<RequestedPictures, 'request'>;
  readonly secrets: TokenSecrets;
  readonly passwords: Pick<Passwords, 'verify'>;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

/** Guests of links: who they are and what they see. */
export class Guests {
  constructor(private readonly deps: Collaborators) {}

  /** @throws DomainError `not_found` for an unknown, expired or deleted link, and for one whose board is deleted: all alike */
  async share(secret: TokenSecret): Promise<Share & FileAccess> {
    const { guests, secrets, clock } = this.deps;
    return requireOpen(await guests.findShare(secrets.hash(secret)), clock.now());
  }

  /**
   * @param secret of the guest's cookie; `null` without one
   * @throws DomainError `share_password_required` for a guest who has not entered with the present password
   */
  async visit(share: Share, secret: TokenSecret | null): Promise<Visit> {
    const guest = await this.#known(share, secret);
    if (!hasEntered(share, guest)) throw passwordRequired('this link needs a password');
    return { share, guest };
  }

  /** The folders of a link, which counts as opened. */
  open({ share, guest }: Visit): Promise<readonly SharedFolder[]> {
    const { contents, unitOfWork } = this.deps;
    return unitOfWork.run(async () => {
      await this.#opened(share, guest?.id ?? null);
      return contents.folders(share);
    });
  }

  /**
   * Lets a guest in, and takes a name. A guest who is known stays the same, with another cookie. The link counts as opened
   * when the guest was not in before; a name alone opens nothing.
   *
   * @throws DomainError `share_password_required` for a wrong password, or none; `validation_failed`; `not_found` as `share`
   */
  async enter(
    share: Share,
    known: TokenSecret | null,
    given: { readonly password: string | null; readonly name: string | null },
  ): Promise<EnteredGuest> {
    const { guests, contents, secrets, passwords, unitOfWork, clock } = this.deps;
    const name = given.name === null ? null : guestNameOf(given.name);
    const before = await this.#known(share, known);
    const wasIn = hasEntered(share, before);
    if (triesPassword(share, given.password)) {
      const isRight = await passwords.verify(typedPassword(given.password!), share.passwordHash!);
      if (!isRight) throw passwordRequired('the password is wrong');
    } else if (!wasIn) throw passwordRequired('this link needs a password');
    const secret = secrets.create();
    const hash = secrets.hash(secret);
    return unitOfWork.run(async () => {
      const now = requireOpen(await guests.lockShare(share.id), clock.now());
      // The version that the guest has entered with: a password that changed meanwhile is asked for.
      const { passwordVersion } = share;
      if (!wasIn) await this.#opened(share, before && before.id);
      const folders = await contents.folders(now);
      if (!before) {
        const added = { shareId: share.id, name, passwordVersion, hash, at: clock.now() };
        return { guest: await guests.add(added, MAX_GUESTS), secret, folders };
      }
      const guest = { ...before, name: name ?? before.name, passwordVersion };
      await guests.update(guest, hash);
      return { guest, secret, folders };
    });
  }

  async #opened({ id, workspaceId }: Share, guestId: number | null): Promise<void> {
    const createdAt = this.deps.clock.now();
    await this.deps.guests.countOpening(id, guestId, createdAt);
    await this.deps.events.record({ workspaceId, type: 'share.opened', subjectId: id, createdAt });
  }

  /** A page of what a link shows. Copies that guests need and that are not made yet are being made from then on. */
  async items(
    { share }: Visit,
    filter: { readonly folderId?: number | null },
    page: PageRequest,
  ): Promise<Page<GuestItem>> {
    const { items, next } = await this.deps.contents.items(share, filter, page);
    return { items: await this.#shown(share, items), next };
  }

  /**
   * The versions of an item, newest first.
   *
   * @throws DomainError `not_found` for an item that the link does not show
   */
  async versions({ share }: Visit, mediaId: number): Promise<readonly GuestItem[]> {
    const versions = await this.deps.contents.versions(share, mediaId);
    if (versions.length === 0) throw notFound('media');
    return this.#shown(share, versions);
  }

  /** Items as guests get them. Copies that are missing are requested. */
  async #shown(share: Share, items: readonly SharedItem[]): Promise<readonly GuestItem[]> {
    const { requested, unitOfWork } = this.deps;
    const missing = items.filter((item) => !item.isMarked && needsCopy(item, share));
    if (missing.length > 0) {
      const ids = missing.map(({ id }) => id);
      await unitOfWork.run(() => requested.request(share, ids));
    }
    return items.map((item) => guestItemOf(item, share));
  }

  /**
   * The key of a video to play.
   *
   * @throws DomainError `not_found` for an item that the link does not show, or that isn't played (yet)
   */
  async video({ share }: Visit, mediaId: number): Promise<string> {
    const item = await this.deps.contents.item(share, mediaId);
    const key = item && playedKey(item, share);
    if (key === null) throw notFound('media');
    return key;
  }

  async #known({ id }: Share, secret: TokenSecret | null): Promise<Guest | null> {
    return secret && this.deps.guests.find(id, this.deps.secrets.hash(secret));
  }
}

function passwordRequired(message: string): DomainError {
  return new DomainError('share_password_required', message);
}
