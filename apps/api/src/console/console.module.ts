import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import type { Settings } from '#config';
import { settings } from '#wiring';
import { serveConsole, serveGuestPage } from './serve-console.ts';

/** The web console under `/console`, and the page of guests under `/s`; not served with CONSOLE_ENABLED=false. */
@Module({})
export class ConsoleModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
    @Inject(settings) private readonly values: Settings,
  ) {}

  async onModuleInit(): Promise<void> {
    if (!this.values.console.enabled) return;
    const app = this.http.httpAdapter.getInstance<Express>();
    app.use('/console', await serveConsole(this.values));
    app.use('/s', await serveGuestPage(this.values));
  }
}
