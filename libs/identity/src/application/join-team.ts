import type { Clock } from '#kernel';
import type { NewMember, Teams } from '../ports/teams.ts';

/** Makes a user a member of a team, in which they act from their next request on. */
export class JoinTeam {
  readonly #teams: Teams;
  readonly #clock: Clock;

  constructor(teams: Teams, clock: Clock) {
    this.#teams = teams;
    this.#clock = clock;
  }

  /** @throws DomainError `already_member`; `in_other_team`; `not_found` */
  async run(member: Omit<NewMember, 'joinedAt'>): Promise<void> {
    await this.#teams.join({ ...member, joinedAt: this.#clock.now() });
  }
}
