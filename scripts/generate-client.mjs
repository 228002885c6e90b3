import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory, Reflector } from '@nestjs/core';
import { generateClient, generateOperatorTypes } from './client-generator.ts';
import { generatePython } from './python-generator.ts';
import { ROOT } from './root.mjs';

// `npm run generate-client`: writes libs/client/src/generated and the generated modules of libs/client-python from the
// OpenAPI document of the API, and the types of the console's operator screen from that of the operators' API.
const documentFor = await documents();
await write('libs/client/src/generated', generateClient, 'api');
generatePython(documentFor('api'), join(ROOT, 'libs/client-python/x12'));
await write('apps/console/src/screens/operator/generated', generateOperatorTypes, 'operators');

async function write(path, generate, audience) {
  const folder = join(ROOT, path);
  rmSync(folder, { recursive: true, force: true });
  await generate(documentFor(audience), folder);
}

/** Builds the documents from the decorators, without connecting to anything. */
async function documents() {
  const built = (path) => import(join(ROOT, 'dist', path));
  const { readSettings } = await built('libs/config/src/index.js');
  const { ApiModule } = await built('apps/api/src/api.module.js');
  const { Routes } = await built('apps/api/src/http/routes.js');
  const { buildDocument } = await built('apps/api/src/http/openapi/build-document.js');
  const module = ApiModule.forRoot(readSettings({ DATA_DIR: tmpdir() }));
  const app = await NestFactory.create(module, { preview: true, logger: false });
  const discovery = new DiscoveryService(app.get(ModulesContainer));
  const all = new Routes(discovery, new MetadataScanner(), new Reflector()).all();
  return (audience) => buildDocument(app, audience, { all, publicUrl: '/' });
}
