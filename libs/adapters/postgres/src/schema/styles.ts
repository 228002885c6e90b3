import { p } from '@mikro-orm/postgresql';
import { id, ref, table, time } from './columns.ts';

/** A style that a persona was trained on. A deleted one stays for the history of generations. */
export const Style = table('Style', 'styles', {
  id: id(),
  workspaceId: ref(),
  personaId: ref(),
  name: p.text(),
  model: p.text(),
  family: p.text().nullable(),
  trigger: p.text(),
  /** The trainings in slots 1 to 6 when the training of the style was requested. */
  slots: p.text(),
  isActive: p.boolean().defaultRaw('false'),
  /** The trained weights; null until then, and for a deleted style. */
  fileId: ref().nullable(),
  createdAt: time(),
  deletedAt: time().nullable(),
});

/** The pictures that a style was trained on. */
export const StylePicture = table('StylePicture', 'style_pictures', {
  styleId: ref().primary(),
  position: p.smallint().primary(),
  /** The training may have been removed since. */
  trainingId: ref(),
  url: p.text().nullable(),
  key: p.text().nullable(),
  fileId: ref().nullable(),
});
