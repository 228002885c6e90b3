import { BooleanField, ListField, ObjectField, TextField } from '../http/index.ts';
import { MemberView } from './member-view.ts';

export class MembersAnswer {
  @ListField(() => MemberView, { description: 'Members, newest accounts first; empty for a plain member.' })
  members!: MemberView[];

  @TextField({ description: 'Where the next page starts; null at the end.', nullable: true })
  next_cursor!: string | null;
}

export class MemberAnswer {
  @ObjectField(() => MemberView, { description: 'The member.' })
  member!: MemberView;
}

export class AddedMemberAnswer extends MemberAnswer {
  @BooleanField({ description: 'Whether an account was opened for them.', example: false })
  created_user!: boolean;
}

export class RemovedMemberAnswer {
  @BooleanField({ description: 'Whether the caller removed themselves.', example: false })
  remove_self!: boolean;
}
