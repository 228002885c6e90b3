import { INVITATION_ANSWERS, type InvitationAnswer } from '#team';
import { ChoiceField, IntegerField, ListField, ObjectField, TextField } from '../http/index.ts';
import { InvitationView } from './invitation-view.ts';

export class SentInvitationAnswer {
  @ObjectField(() => InvitationView, { description: 'The invitation. Its token goes by mail alone.' })
  invitation!: InvitationView;
}

export class PendingInvitationsAnswer {
  @ListField(() => InvitationView, { description: 'Invitations that wait for an answer, newest first.' })
  invitations!: InvitationView[];

  @TextField({ description: 'Where the next page starts; null at the end.', nullable: true })
  next_cursor!: string | null;
}

export class InvitingTeamView {
  @IntegerField({ description: "Identifier of the team's workspace.", example: 12 })
  id!: number;

  @TextField({ description: 'E-mail address of its owner.', example: 'grace@example.com' })
  owner!: string;
}

export class InvitationOutcomeAnswer {
  @ChoiceField(INVITATION_ANSWERS, { description: 'What became of the invitation.', example: 'accepted' })
  state!: InvitationAnswer;

  @ObjectField(() => InvitingTeamView, { description: 'The team that invited.' })
  team!: InvitingTeamView;
}
