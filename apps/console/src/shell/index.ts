export { NotFound, ScreenError, ScreenLoading } from './fallbacks.tsx';
export { Providers } from './Providers.tsx';
export { meQuery, requireSession, signOut, useMe, useRole } from './session.ts';
export { Shell } from './Shell.tsx';
