import { p } from '@mikro-orm/postgresql';
import type { ParameterValues } from '#catalogue';
import { id, ref, table, time } from './columns.ts';

/** Settings of calls that are saved under a name. */
export const Preset = table('Preset', 'presets', {
  id: id(),
  workspaceId: ref(),
  createdBy: ref(),
  name: p.text(),
  model: p.text(),
  prompt: p.text().nullable(),
  parameters: p.json<ParameterValues>(),
  /** The persona may be gone. */
  personaId: ref().nullable(),
  styleTransfer: p.text().nullable(),
  createdAt: time(),
  updatedAt: time(),
});
