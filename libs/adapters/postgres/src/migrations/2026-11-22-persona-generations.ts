import { Migration } from '@mikro-orm/migrations';

/** A persona shows its newest generations: they are read in order. */
export class PersonaGenerations extends Migration {
  override up(): void {
    this.addSql(`
      create index generations_newest_of_persona on generations (persona_id, id) where persona_id is not null`);
    this.addSql('drop index generations_persona');
  }

  override down(): void {
    this.addSql('create index generations_persona on generations (persona_id) where persona_id is not null');
    this.addSql('drop index generations_newest_of_persona');
  }
}
