export { Mark } from './Brand.tsx';
export { NotFound, ScreenError, ScreenLoading, WithoutShell } from './fallbacks.tsx';
export { forgetLinkSecret, linkSecret, takeLinkSecret } from './link-secret.ts';
export { useDeletionNotice } from './deletion-notice.ts';
export { Providers } from './Providers.tsx';
export { orNotLoaded } from './not-loaded.ts';
export { isSignedOut, meQuery, requireSession, signOut, useMe, useRole } from './session.ts';
export { Shell } from './Shell.tsx';
