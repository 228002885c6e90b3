import { Migration } from '@mikro-orm/migrations';

/** Generations are listed by state, by model and by time: rare ones are found without reading all others. */
export class GenerationFilters extends Migration {
  override up(): void {
    this.addSql('create index generations_of_state on generations (workspace_id, state, id)');
    this.addSql('create index generations_of_model on generations (workspace_id, model, id)');
    this.addSql('create index generations_by_time on generations (workspace_id, created_at)');
  }

  override down(): void {
    this.addSql('drop index generations_of_state, generations_of_model, generations_by_time');
  }
}
