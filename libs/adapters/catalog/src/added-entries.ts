import type { CatalogueRules, EntryProblems, JsonObject, KnownProvider, Model, ProviderFields } from '#catalogue';
import type { ModelEntry } from './catalogue-schema.ts';
import { schemaProblems } from './document.ts';
import { modelOf, providerProblems, type Known } from './entries.ts';
import { checkModel } from './model-rules.ts';
import type { AjvParameterCheck } from './parameter-check.ts';
import type { Problem } from './schema-problems.ts';

/** Bytes of an entry as JSON. A ComfyUI workflow is part of its entry. */
const MAX_ENTRY_BYTES = 500_000;
/** As many as a proposal has at most. The time to compile them grows with the square of their number. */
const MAX_PARAMETERS = 300;

/** The rules of a catalogue file, for entries that operators add. */
export class AddedEntryRules implements CatalogueRules {
  constructor(private readonly source: Pick<Known, 'types' | 'local'> & { readonly check: AjvParameterCheck }) {}

  problemsOfProvider(id: string, fields: ProviderFields, hasKey: boolean): EntryProblems {
    const { type, baseUrl, baseUrls, maxConcurrent, submissionsPerMinute } = fields;
    const entry = {
      id,
      type,
      ...(baseUrls && { base_urls: baseUrls }),
      // With several servers it is the first of them.
      ...(baseUrl === null || baseUrl === baseUrls?.[0] ? {} : { base_url: baseUrl }),
      max_concurrent: maxConcurrent,
      ...(submissionsPerMinute === null ? {} : { submissions_per_minute: submissionsPerMinute }),
    };
    const problems = schemaProblems({ providers: [entry] }).map(withinEntry);
    if (problems.length === 0) {
      providerProblems({ ...entry, hasKey }, this.source.types, (path, message) => problems.push({ path, message }));
    }
    return byField(problems);
  }

  readModel(
    id: string,
    entry: JsonObject,
    providers: readonly KnownProvider[],
  ): { readonly model: Model } | { readonly problems: EntryProblems } {
    if (Buffer.byteLength(JSON.stringify(entry)) > MAX_ENTRY_BYTES) {
      return { problems: { '': [`must be at most ${MAX_ENTRY_BYTES} bytes`] } };
    }
    if (Object.keys(entry['parameters'] ?? {}).length > MAX_PARAMETERS) {
      return { problems: { parameters: [`must be at most ${MAX_PARAMETERS}`] } };
    }
    const whole = { ...entry, id };
    const problems = schemaProblems({ models: [whole] }).map(withinEntry);
    if (problems.length > 0) return { problems: byField(problems) };
    const report = (path: readonly string[], message: string) => void problems.push({ path, message });
    const known = { ...this.source, file: null, providers: new Map(providers.map((each) => [each.id, each])) };
    const model = modelOf(whole as unknown as ModelEntry, known, report);
    if (model) checkModel(model, this.source.check, report);
    return model && problems.length === 0 ? { model } : { problems: byField(problems) };
  }
}

/** Without the list and the index of the entry. */
function withinEntry({ path: [, , ...path], message }: Problem): { path: readonly string[]; message: string } {
  return { path, message };
}

function byField(problems: readonly Problem[]): EntryProblems {
  const fields = new Map<string, string[]>();
  for (const { path, message } of problems) {
    const field = path.join('.');
    fields.set(field, [...(fields.get(field) ?? []), message]);
  }
  return Object.fromEntries(fields);
}
