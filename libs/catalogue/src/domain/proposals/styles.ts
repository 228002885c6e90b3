import type { JsonValue } from '../json.ts';
import type { StyleResult } from '../model.ts';
import type { VendorField } from './proposal.ts';
import { fieldOf, listOf, type SchemaReader } from './schema.ts';

/** Where trainers return what they have learned, by a field of their output. */
const RESULTS: Readonly<Record<string, StyleResult>> = {
  diffusers_lora_file: { weights: 'diffusers_lora_file.url' },
  style_id: { reference: 'style_id' },
};

/** Models of one base understand each other's styles. */
const BASES = /flux|recraft|sdxl|qwen|wan|hunyuan|ltx|krea|z-image/;

const PICTURES = /^(images?_data|training_data|input_images|images?_zip|zip)(_urls?)?$/;
const TRIGGER = /^(trigger_(word|phrase)|instance_prompt|token_string)$/;

/** Result of a model's training; `null` for a model that makes files. */
export function trainedBy(outputs: readonly string[]): StyleResult | null {
  const makesFiles = outputs.some((field) => /^(images?|videos?|svg|masks?)$/.test(field));
  const found = outputs.find((field) => Object.hasOwn(RESULTS, field));
  return found === undefined || makesFiles ? null : RESULTS[found]!;
}

/** The family of the styles that a model trains or uses, by the name of its base; `null` for an unknown base. */
export function familyOf(target: string): string | null {
  return BASES.exec(target.toLowerCase())?.[0] ?? null;
}

/** The field of a trainer with its role. This service trains styles, not subjects. */
export function ofTrainer(field: VendorField): VendorField {
  if (PICTURES.test(field.name)) return { ...field, role: 'pictures', files: null, isRequired: true };
  if (TRIGGER.test(field.name)) return { ...field, role: 'trigger' };
  if (field.name === 'is_style') return { ...field, role: 'constant', template: true };
  return field.name === 'data_archive_format' ? { ...field, role: 'transport' } : field;
}

/** The field of a model with its role, where trained styles fill it: a list of weights, or the id of a style. */
export function ofStyled(field: VendorField, property: unknown, reader: SchemaReader): VendorField {
  const template = styleTemplate(field.name, property, reader);
  return template === null ? field : { ...field, role: 'style_weights', template };
}

function styleTemplate(name: string, property: unknown, reader: SchemaReader): JsonValue | null {
  if (name === 'style_id') return '{style_weights}';
  if (name !== 'loras') return null;
  const items = reader.read(reader.read(property).items);
  const isPath = listOf(items.required).includes('path') || fieldOf(items.properties, 'path') !== undefined;
  return isPath ? [{ path: '{style_weights}' }] : null;
}
