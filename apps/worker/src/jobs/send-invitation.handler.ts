import { Inject, Injectable } from '@nestjs/common';
import type { JobPayloads, JobRun } from '#kernel';
import type { JobHandler } from '#adapters/queue';
import { PostponeInvitation, SendInvitation } from '#team';

@Injectable()
export class SendInvitationHandler implements JobHandler<'invitation.send'> {
  readonly name = 'invitation.send';

  constructor(
    @Inject(SendInvitation) private readonly sendInvitation: SendInvitation,
    @Inject(PostponeInvitation) private readonly postponeInvitation: PostponeInvitation,
  ) {}

  run({ invitationId }: JobPayloads['invitation.send'], run: JobRun): Promise<void> {
    return this.sendInvitation.run(invitationId, run);
  }

  giveUp({ invitationId }: JobPayloads['invitation.send'], error: unknown): Promise<void> {
    return this.postponeInvitation.run(invitationId, error);
  }
}
