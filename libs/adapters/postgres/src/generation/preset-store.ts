import type { NewPreset, Preset, PresetContent, PresetStore, PresetView, PresetViews } from '#generation';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { build, pageValues, prepared, type PageValues, type Prepared } from '../prepared.ts';
import { Preset as PresetTable } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';

const CONTENT = ['name', 'model', 'prompt', 'parameters', 'personaId', 'styleTransfer'] as const;
const PRESET = fieldsOf('presets', ['id', 'createdBy', ...CONTENT]);

/** Others that refer to the workspace don't wait for this lock. */
const lockWorkspace = prepared<{ workspaceId: number }>()((param) =>
  build.selectFrom('workspaces').select('id').where('id', '=', param('workspaceId')).forNoKeyUpdate(),
);

const selectAll = prepared<{ workspaceId: number }>()((param) =>
  build.selectFrom('presets').select(PRESET).where('workspace_id', '=', param('workspaceId')),
);

const selectViews = build
  .selectFrom('presets')
  .select(PRESET)
  .select(fieldsOf('presets', ['createdAt', 'updatedAt']))
  .select((eb) =>
    eb
      .or([
        eb('presets.persona_id', 'is', null),
        eb.exists(
          eb.selectFrom('personas as p').whereRef('p.id', '=', 'presets.persona_id').where('p.deletion_id', 'is', null),
        ),
      ])
      .as('hasPersona'),
  );

const selectPage = prepared<PageValues & { workspaceId: number }>()((param) =>
  selectViews
    .where('workspace_id', '=', param('workspaceId'))
    .where('id', '<', param('before'))
    .orderBy('id', 'desc')
    .limit(param('limit')),
);

const selectOne = prepared<{ workspaceId: number; id: number }>()((param) =>
  selectViews.where((eb) => eb.and({ id: param('id'), workspace_id: param('workspaceId') })),
);

type Row = typeof selectOne extends Prepared<never, infer Each> ? Each : never;

export class PostgresPresets implements PresetStore, PresetViews {
  constructor(private readonly database: Database) {}

  async lockAll(workspaceId: number): Promise<readonly Preset[]> {
    await this.database.run(lockWorkspace, { workspaceId });
    // A separate statement: its snapshot has what was added while the lock was awaited.
    return this.database.run(selectAll, { workspaceId });
  }

  async find(workspaceId: number, id: number): Promise<PresetView | null> {
    const row = await this.database.one(selectOne, { workspaceId, id });
    return row && toView(row);
  }

  add(preset: NewPreset): Promise<number> {
    return this.database.em.insert(PresetTable, { ...preset, updatedAt: preset.createdAt });
  }

  async update(id: number, content: PresetContent, updatedAt: Date): Promise<void> {
    const { name, model, prompt, parameters, personaId, styleTransfer } = content;
    const changed = { name, model, prompt, parameters, personaId, styleTransfer, updatedAt };
    await this.database.em.nativeUpdate(PresetTable, { id }, changed);
  }

  async remove(id: number): Promise<void> {
    await this.database.em.nativeDelete(PresetTable, { id });
  }

  async list(workspaceId: number, page: PageRequest): Promise<Page<PresetView>> {
    const rows = await this.database.run(selectPage, { workspaceId, ...pageValues(page) });
    return pageOf(rows.map(toView), page.limit, ({ id }) => id);
  }
}

function toView({ hasPersona, ...row }: Row): PresetView {
  return { ...row, hasPersona: hasPersona as boolean };
}
