import type { AuditAction, AuditDetails, AuditTargetType } from './actions.ts';

/** Kinds of actors: a user, an operator on the command line, with ADMIN_TOKEN or a machine token, or the service itself. */
export const AUDIT_ACTORS = ['user', 'operator', 'system'] as const;
export type AuditActorType = (typeof AUDIT_ACTORS)[number];

/** How the actor reached the service; a browser's session and a log-in count as `session`, ADMIN_TOKEN and machine tokens as `token`. */
export const AUDIT_VIAS = ['token', 'session', 'cli'] as const;
export type AuditVia = (typeof AUDIT_VIAS)[number];

/** Where a request came from. */
export interface AuditOrigin {
  /** IP address. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** An entry of a use case. The log adds the actor, the time, and where the request came from. */
export type NewAuditEntry = {
  readonly [Action in AuditAction]: {
    readonly action: Action;
    /** Id of the target, whose type the action determines. */
    readonly target: number;
    readonly details: AuditDetails[Action];
    /** The user who acts, in a request without a caller such as a log-in. */
    readonly userId?: number;
    /** `null`: the whole service. Default: the caller's; without a caller, the workspace in which a user acts. */
    readonly workspaceId?: number | null;
    /** The user meant by that. Default: the user who acts, or the target. */
    readonly workspaceOf?: number;
    /** Default: now. */
    readonly at?: Date;
    /** Default: that of the running request. */
    readonly origin?: AuditOrigin;
  };
}[AuditAction];

export interface AuditEntry extends AuditOrigin {
  readonly id: number;
  readonly at: Date;
  /** `email` is that of the account now; null when the account is gone. */
  readonly actor:
    | { readonly type: 'user'; readonly userId: number; readonly email: string | null }
    | { readonly type: 'operator' | 'system' };
  /** Null for the service itself, and for requests without a token. */
  readonly via: AuditVia | null;
  /** Name of the machine token; null for others. */
  readonly viaName: string | null;
  readonly action: AuditAction;
  /** The name at that time, or the present e-mail of a user, an invitation or a workspace's owner. Null when it has none any more. */
  readonly target: { readonly type: AuditTargetType; readonly id: number; readonly name: string | null };
  readonly details: AuditDetails[AuditAction];
}
