export { AddedEntryRules } from './added-entries.ts';
export { CATALOGUE_SCHEMA } from './catalogue-schema.ts';
export { CatalogError } from './document.ts';
export { AjvParameterCheck } from './parameter-check.ts';
export { DEFAULT_LIMITS } from './entries.ts';
export * from './read-catalog.ts';
