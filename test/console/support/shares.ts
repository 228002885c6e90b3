import sharp from 'sharp';
import { eventually } from '../../support/eventually.ts';
import { bodiesFor } from '../../support/use-service.ts';
import type { ConsoleStage } from './console.ts';
import { storePicture } from './editing.ts';
import { aLighthouse, aPainting } from './photos.ts';

const red = () =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: '#c04030' } })
    .jpeg()
    .toBuffer();
const PICTURES = [red, aPainting, aLighthouse];

/** A board with pictures, and links to it. The owner is a new user unless one is given. */
export async function aBoardToShare(stage: ConsoleStage, pictures = PICTURES.length, by?: { readonly token: string }) {
  const owner = by ?? (await stage.service.signUp());
  const call = bodiesFor(stage, owner);
  const board = (await call('POST', '/boards', { name: 'Summer' })).board.id as number;
  for (let at = 0; at < pictures; at++) {
    const url = await storePicture(stage.service, owner, await PICTURES[at % PICTURES.length]!());
    await call('POST', `/boards/${board}/media`, { url });
  }
  const prepared = () =>
    eventually(async () => {
      const { media: all } = (await call('GET', `/boards/${board}`)).board;
      return all.every(({ state }: { state: string }) => state === 'processed') && (all as { id: number }[]);
    });
  const media = await prepared();
  /** Makes a link to the board. */
  const share = async (terms: object = { allow: ['comment', 'decide'] }) => {
    const { share: made } = await call('POST', '/v2/shares', { board_id: board, ...terms });
    return { id: made.id as number, path: new URL(made.url).pathname };
  };
  /** Comments about an item. */
  const comments = async (id: number) => (await call('GET', `/boards/${board}/media/${id}/comments`)).comments;
  const decisions = async (id: number) => (await call('GET', `/boards/${board}/media/${id}/decisions`)).decisions;
  return { owner, call, board, media, prepared, share, comments, decisions };
}
