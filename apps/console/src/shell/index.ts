export { Mark } from './Brand.tsx';
export { isTyping } from './keys.ts';
export { isInvalidInvitation, useInvitation, useInvitationPreview } from './invitation.ts';
export { InvitationSummary } from './InvitationSummary.tsx';
export { useFirstFocus } from './focus.ts';
export { NoScreen, NotFound, ScreenError, ScreenLoading, WithoutShell } from './fallbacks.tsx';
export { forgetLinkSecret, linkSecret, takeLinkSecret } from './link-secret.ts';
export { useDeletionNotice, useUndoOfDeletion } from './deletion-notice.ts';
export { type Names, namesWith, useNames } from './names.ts';
export { Providers } from './Providers.tsx';
export { orNotLoaded } from './not-loaded.ts';
export {
  ACCOUNT_DELETED,
  deleteAccount,
  isSignedOut,
  meQuery,
  requireSession,
  signOut,
  useMe,
  useRole,
} from './session.ts';
export { useIssuer, useSsoRefusal } from './single-sign-on.ts';
export { isUnverified, useUnverified } from './UnverifiedNotice.tsx';
export { Shell } from './Shell.tsx';
export { words as shellWords } from './words.ts';
