export { Mark } from './Brand.tsx';
export { NotFound, ScreenError, ScreenLoading } from './fallbacks.tsx';
export { forgetInvitation, invitationSecret, takeInvitation } from './invitation.ts';
export { Providers } from './Providers.tsx';
export { meQuery, requireSession, signOut, useMe, useRole } from './session.ts';
export { Shell } from './Shell.tsx';
