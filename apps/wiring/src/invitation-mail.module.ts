import { Module } from '@nestjs/common';
import type { Settings } from '#config';
import { PostponeInvitation, SendInvitation, type AnswerPlaces } from '#team';
import { IdentityModule, tokenSecrets } from './identity.module.ts';
import { mail, MailModule } from './mail.module.ts';
import { clock, jobs, settings } from './platform.ts';
import { provide, token } from './provide.ts';
import { invitations, TeamModule } from './team.module.ts';

const answerPlaces = token<AnswerPlaces>('AnswerPlaces');

/** Mailing invitations. */
@Module({
  imports: [IdentityModule, MailModule, TeamModule],
  providers: [
    {
      provide: answerPlaces,
      useFactory: ({ http, mail }: Settings): AnswerPlaces => ({
        apiUrl: http.publicUrl,
        pageUrl: mail.invitationUrl,
      }),
      inject: [settings],
    },
    provide(PostponeInvitation, invitations, jobs),
    provide(SendInvitation, invitations, mail, tokenSecrets, answerPlaces, clock),
  ],
  exports: [PostponeInvitation, SendInvitation],
})
export class InvitationMailModule {}
