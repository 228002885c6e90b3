import { randomBytes } from 'node:crypto';
import { AddedEntryRules, AjvParameterCheck } from '#adapters/catalog';
import { PostgresCatalogue, PostgresUnitOfWork } from '#adapters/postgres';
import { AesSealer } from '#adapters/secrets';
import { CatalogueChanges, LiveCatalogue, type Catalogue } from '#catalogue';
import type { RemoteProvider } from '#generation';
import { RecordedAuditLog } from '#testing/audit-log';
import { ManualClock } from '#testing/kernel';
import type { TestDatabase } from './database.ts';

const TYPES = ['replicate', 'fal', 'openai', 'comfyui'];

/** The catalogue of one program on a database, and the changes that operators make there. */
export class CatalogueStage {
  readonly auditLog = new RecordedAuditLog();
  readonly clock = new ManualClock();
  readonly warnings: string[] = [];
  readonly opened: string[] = [];
  /** Results of opening providers; by default an object with its id. */
  readonly vendors = new Map<string, RemoteProvider>();
  /** The open providers. */
  readonly remotes = new Map<string, RemoteProvider>();
  readonly store: PostgresCatalogue;
  readonly changes: CatalogueChanges;
  readonly live: LiveCatalogue;
  /** The key of the installation; `null` when it is lost. */
  secretKey: string | null = randomBytes(32).toString('base64');

  constructor(db: TestDatabase, fixed: Catalogue = { providers: [], models: [] }) {
    const rules = new AddedEntryRules({ types: TYPES, local: fixed.models, check: new AjvParameterCheck() });
    const sealer = new AesSealer(() => ({ current: this.secretKey, previous: null }));
    const unitOfWork = new PostgresUnitOfWork(db.database);
    this.store = new PostgresCatalogue(db.database);
    const shared = { fixed, rules, sealer, store: this.store };
    this.changes = new CatalogueChanges({ ...shared, auditLog: this.auditLog, unitOfWork, clock: this.clock });
    this.live = new LiveCatalogue({
      ...shared,
      isAvailable: () => true,
      openProvider: async ({ id, key }) => {
        this.opened.push(`${id} with ${key}`);
        this.remotes.set(id, this.vendors.get(id) ?? ({ id } as RemoteProvider));
      },
      closeProvider: (id) => this.remotes.delete(id),
      warn: (message) => this.warnings.push(message),
    });
  }
}

export const aProviderChange = {
  type: 'replicate',
  baseUrl: null,
  maxConcurrent: 4,
  submissionsPerMinute: null,
  key: 'r8_4f9a2c7d1e8b3a6f',
  revision: null,
} as const;

export const anEntry = {
  kind: 'image',
  provider: 'vendor',
  target: 'owner/name',
  mapping: { 'input.prompt': '{prompt}' },
  cost: 4,
} as const;
