import { sourceOf } from '#files';
import type { DownloadedFile, DownloadedFiles, FileFacts } from './ports.ts';
import type { FileIndex } from './zips.ts';

/** The index of a zip for members: how each file was made. */
export function factsIndex(source: Pick<DownloadedFiles, 'facts'>): FileIndex<DownloadedFile> {
  return {
    columns: ['prompt', 'model', 'seed', 'cost', 'customer', 'metadata', 'source', 'digital_source_type'],
    values: async (files) => {
      const facts = await source.facts(files.map(({ id }) => id));
      return files.map(({ id }) => facts.get(id)).map((found) => found && valuesOf(found));
    },
  };
}

function valuesOf({ prompt, model, seed, cost, customer, metadata, origin, digitalSource }: FileFacts) {
  const custom = [customer, metadata && JSON.stringify(metadata)];
  return [prompt, model, seed, cost, ...custom, sourceOf(origin), digitalSource];
}
