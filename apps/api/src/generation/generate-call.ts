import type { GenerateCall } from '#generation';
import { customDataOf } from '../http/index.ts';
import type { GenerateRequest } from './generation.dto.ts';

/** @param fields all fields of the request */
export function generateCall(body: GenerateRequest, fields: GenerateCall['fields']): GenerateCall {
  return {
    presetId: body.preset_id ?? null,
    variables: (body.variables as Record<string, unknown> | null | undefined) ?? null,
    model: body.model ?? '',
    personaId: body.pid ?? null,
    styleTransfer: body.style_transfer ?? null,
    styleId: body.style_id ?? null,
    image: body.image ?? null,
    extraImages: extraImagesOf(body),
    maskImage: body.mask_image ?? null,
    controlImage: body.control_image ?? null,
    parent: body.parent ? { generationId: body.parent.generation_id, output: body.parent.output } : null,
    webhook: body.webhook ?? null,
    ...customDataOf(body),
    prompt: body.prompt ?? null,
    fields,
    dryRun: body.dry_run ?? false,
  };
}

function extraImagesOf(body: GenerateRequest): readonly (string | null)[] {
  const { extra_image_1, extra_image_2, extra_image_3, extra_image_4, extra_image_5, extra_image_6 } = body;
  const all = [extra_image_1, extra_image_2, extra_image_3, extra_image_4, extra_image_5, extra_image_6];
  return all.map((url) => url ?? null);
}
