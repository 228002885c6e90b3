import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Settings } from '#config';
import { Accounts, Teams, Tokens } from '#identity';
import { directory, IdentityModule, PlatformModule, plans, provide } from '#wiring';
import { readDemo, writeDemo } from './demo.ts';
import { SeedDemo } from './seed-demo.ts';

/** What the demo is made with. */
@Module({})
export class DemoModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: DemoModule,
      imports: [PlatformModule.forRoot(settings, 'api'), IdentityModule],
      providers: [provide(SeedDemo, directory, Accounts, Teams, Tokens, plans)],
    };
  }
}

/** Seeds the demo of `settings` and notes it in its file. */
export async function seedDemo(settings: Settings): Promise<void> {
  const app = await NestFactory.createApplicationContext(DemoModule.forRoot(settings), {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  try {
    const earlier = await readDemo(settings.data.demo);
    await writeDemo(settings.data.demo, await app.get(SeedDemo).run(settings.http.publicUrl, earlier));
  } finally {
    await app.close();
  }
}
