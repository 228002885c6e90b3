import type { QueryClient } from '@tanstack/react-query';
import { type PersonaDto, type PersonaResponse, personasGetOptions, type TrainingDto, x12 } from '../../api/index.ts';
import { Changes, type Show } from '../../state/index.ts';
import { makeUnlessUndone, notifyError, offerUndo } from '../../ui/index.ts';
import { uploads } from '../../uploads/index.ts';
import { type Move, moved, movesInto, reversed, slotsFor, withTrainings } from './persona-view.ts';
import { words } from './words.ts';

type ShowTrainings = Show<readonly TrainingDto[]>;

export const personaChanges = new Changes<PersonaResponse>('personas');

/** Changes the pictures of a persona. Changes are shown at once, and reverted if the service refuses. */
export class PersonaPictures {
  readonly #options;

  constructor(
    readonly personaId: number,
    private readonly name: string,
    private readonly queries: QueryClient,
  ) {
    this.#options = personasGetOptions({ path: { persona_id: personaId } });
  }

  /** Uploads pictures, the first into the slot and the others into empty slots. */
  async fillWithFiles(slot: number, files: readonly File[]): Promise<void> {
    const { slots } = await this.#read();
    slotsFor(files.length, slot, slots).forEach((each, at) => {
      const purpose = words.slotOf(each, this.name);
      const place = placeOf(this.personaId, each);
      uploads.add(files[at]!, { personaId: this.personaId, purpose, place, then: ({ url }) => this.#fill(each, url) });
    });
  }

  fillWithUrl(slot: number, url: string): void {
    report(this.#fill(slot, url));
  }

  /** Empties a slot, and deletes its picture unless this is undone. */
  empty(slot: number): void {
    report(this.#clearSlot(slot, words.emptied(slot)));
  }

  /** Moves a picture of the persona into a slot. A picture that is in the slot changes places with it. */
  moveTo(slot: number, trainingId: number): void {
    const moves = movesInto(slot, trainingId, this.#trainings());
    if (moves.length > 0) report(this.#moveWithUndo(moves, words.moved(slot)));
  }

  moveToLikes({ id: trainingId, slot: from }: TrainingDto): void {
    report(this.#moveWithUndo([{ trainingId, from, to: null }], words.liked));
  }

  likeUrls(urls: readonly string[]): void {
    for (const url of urls) report(this.#like(url));
  }

  likeFiles(files: readonly File[]): void {
    const purpose = words.likeOf(this.name);
    const then = ({ url }: { url: string }) => this.#like(url);
    for (const file of files) uploads.add(file, { personaId: this.personaId, purpose, then });
  }

  removeLike(training: TrainingDto): void {
    this.#removeLater(training, words.removed);
  }

  /** Lets the service copy the picture of a training again. */
  retry({ id, image }: Pick<TrainingDto, 'id' | 'image'>): void {
    report(this.#thenRefresh(this.#update(id, { image })));
  }

  async #fill(slot: number, url: string): Promise<void> {
    await this.#read();
    const save = () => x12.personas.slots.fill({ ...this.#path, photo: url, slot });
    await this.#clearSlot(slot, words.replaced(slot), { preview: previewOf(slot, url), save });
    uploads.forgetFailed(placeOf(this.personaId, slot));
  }

  async #like(image: string): Promise<void> {
    await this.#thenRefresh(x12.personas.trainings.create({ ...this.#path, image }));
  }

  /**
   * Empties a slot at once, or fills it with the next picture. The former picture is a hidden like until the undo expires,
   * and is then deleted.
   */
  async #clearSlot(slot: number, message: string, next?: NextPicture): Promise<void> {
    const training = this.#trainings().find((each) => each.slot === slot && each.id > 0);
    const moves = training ? [{ trainingId: training.id, from: slot, to: null }] : [];
    const show: ShowTrainings = (trainings) => {
      const others = trainings.filter(({ id }) => id !== training?.id);
      return next && others.every((each) => each.slot !== slot) ? [next.preview, ...others] : others;
    };
    await this.#change(show, async () => {
      await this.#send(moves);
      await next?.save().catch(async (error: unknown) => {
        await this.#send(reversed(moves));
        throw error;
      });
    });
    if (training) this.#removeLater(training, message, () => this.#move(reversed(moves)));
  }

  #removeLater({ id: training_id }: TrainingDto, message: string, undo?: () => unknown): void {
    makeUnlessUndone(personaChanges, this.queries, {
      message,
      show: this.#showing((trainings) => trainings.filter(({ id }) => id !== training_id)),
      work: () => x12.personas.trainings.delete({ ...this.#path, training_id }, { keepalive: true }),
      undo,
    });
  }

  async #moveWithUndo(moves: readonly Move[], message: string): Promise<void> {
    await this.#move(moves);
    offerUndo(message, () => this.#move(reversed(moves)));
  }

  async #move(moves: readonly Move[]): Promise<void> {
    await this.#change(
      (trainings) => moved(trainings, moves),
      () => this.#send(moves),
    );
    for (const { to } of moves) if (to !== null) uploads.forgetFailed(placeOf(this.personaId, to));
  }

  async #send(moves: readonly Move[]): Promise<void> {
    for (const { trainingId, to } of moves) await this.#update(trainingId, { slot: to });
  }

  #change(show: ShowTrainings, work: () => Promise<unknown>): Promise<unknown> {
    return personaChanges.make(this.queries, this.#showing(show), work);
  }

  #showing(show: ShowTrainings): Show<PersonaResponse> {
    return (data) => {
      const { persona } = data;
      return persona.id === this.personaId
        ? { ...data, persona: withTrainings(persona, show(persona.trainings)) }
        : data;
    };
  }

  #update(training_id: number, body: { slot?: number | null; image?: string }) {
    return x12.personas.trainings.update({ ...this.#path, training_id, ...body });
  }

  async #thenRefresh(change: Promise<unknown>): Promise<void> {
    try {
      await change;
    } finally {
      await personaChanges.refresh(this.queries);
    }
  }

  /** Reads the current persona: an upload may end long after the page was left. */
  async #read(): Promise<PersonaDto> {
    return (await this.queries.fetchQuery({ ...this.#options, staleTime: 0 })).persona;
  }

  #trainings(): readonly TrainingDto[] {
    const read = this.queries.getQueryData(this.#options.queryKey);
    return read ? personaChanges.shown(read).persona.trainings : [];
  }

  get #path() {
    return { persona_id: this.personaId };
  }
}

interface NextPicture {
  /** Shown until the picture is saved. */
  readonly preview: TrainingDto;
  save(): Promise<unknown>;
}

function previewOf(slot: number, image: string): TrainingDto {
  return { id: -slot, slot, image, extras: null, info: null, state: 'created', error: null, created_at: '' };
}

/** The `place` of uploads into a slot. */
export function placeOf(personaId: number, slot: number): string {
  return `persona ${personaId}, slot ${slot}`;
}

function report(work: Promise<unknown>): void {
  work.catch(notifyError);
}
