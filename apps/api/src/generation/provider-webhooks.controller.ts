import { Controller, Headers, Inject, Param } from '@nestjs/common';
import { IncomingWebhooks } from '#generation';
import { Post, Public, RawBody, RequestQuery, Responds, TextField } from '../http/index.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class ProviderWebhookQuery {
  @TextField('Request key of the submission that has changed.', {
    example: '0197f0a1-6b1c-7c4e-9d57-0a1b2c3d4e5f',
    pattern: UUID,
    patternMeans: 'a lower-case UUID',
    required: false,
  })
  key?: string;
}

@Controller('v2/providers')
export class ProviderWebhooksController {
  constructor(@Inject(IncomingWebhooks) private readonly webhooks: IncomingWebhooks) {}

  @Post(':id/webhook')
  @Public()
  @Responds(204, null, {
    id: 'providers.webhook.receive',
    summary: 'Notify of a change of a generation',
    description:
      "Receives a provider's notification that a generation has changed. Returns nothing. Called by the providers " +
      'of models, which sign their notifications. It only brings the next check of the generation forward: its ' +
      'content is not used.',
    errors: ['unauthenticated', 'not_found'],
  })
  async postWebhook(
    @Param('id') id: string,
    @RequestQuery() { key }: ProviderWebhookQuery,
    @Headers() headers: Record<string, string>,
    @RawBody() body: Buffer,
  ) {
    await this.webhooks.receive(id, key, body, headers);
  }
}
