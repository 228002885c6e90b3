import { join } from 'node:path';
import { ROOT } from '../../support/processes.ts';
import { startFakeComfyUi } from '../../support/vendors/comfyui.ts';
import { startFakeFal } from '../../support/vendors/fal.ts';
import { startFakeOpenAi } from '../../support/vendors/openai.ts';
import { startFakeReplicate } from '../../support/vendors/replicate.ts';

/** The models of the example catalogue, run by fakes of their vendors: every kind of input, parameter and output. */
export async function startAllModels(workMs = 30) {
  const fakes = await Promise.all([
    startFakeReplicate({ workMs }),
    startFakeFal({ workMs }),
    startFakeOpenAi({ workMs }),
    startFakeComfyUi({ workMs }),
  ]);
  const [replicate, fal, openai, comfyui] = fakes;
  const env = {
    MODELS_FILE: join(ROOT, 'docs/models.example.yaml'),
    ...{ REPLICATE_API_TOKEN: 'r8_test', REPLICATE_BASE_URL: replicate.url },
    ...{ FAL_KEY: 'fal_test', FAL_BASE_URL: fal.url },
    ...{ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: openai.url },
    COMFYUI_URL: comfyui.url,
    PLANS: '{"free":{"monthly_credits":100000},"enterprise":{"monthly_credits":100000,"teams":true}}',
  };
  const close = () => Promise.all(fakes.map((fake) => fake.close()));
  return { env, fal, replicate, close };
}
