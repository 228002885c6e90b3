import { p } from '@mikro-orm/postgresql';
import { customData, deletion, id, ref, table, time } from './columns.ts';

export const Persona = table('Persona', 'personas', {
  id: id(),
  workspaceId: ref(),
  createdBy: ref(),
  name: p.text(),
  title: p.text().nullable(),
  knows: p.text().nullable(),
  profession: p.text().nullable(),
  createdAt: time(),
  /** Empty, for 0.2; dropped with 0.4. */
  deletedAt: time().nullable(),
  updatedAt: time(),
  deletionId: deletion(),
  ...customData(),
});

export const Training = table('Training', 'trainings', {
  id: id(),
  workspaceId: ref(),
  personaId: ref(),
  slot: p.smallint().nullable(),
  sourceUrl: p.text(),
  fileId: ref().nullable(),
  state: p.enum(['created', 'processed', 'failed']),
  error: p.text().nullable(),
  extras: p.text().nullable(),
  info: p.text().nullable(),
  createdAt: time(),
  pictureVersion: p.integer(),
});
