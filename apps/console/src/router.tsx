import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { createQueryClient, whenRefused } from './api/index.ts';
import {
  isUnverified,
  NoScreen,
  orNotLoaded,
  requireSession,
  ScreenError,
  ScreenLoading,
  Shell,
  WithoutShell,
} from './shell/index.ts';
import { loadPart } from './ui/index.ts';

/** The router and the query cache. */
export function createConsoleRouter() {
  const queries = createQueryClient();
  whenRefused('unauthenticated', () => {
    // Pages outside this route need no session.
    if (!router.state.matches.some(({ routeId }) => routeId === '/signed-in')) return;
    queries.clear();
    void router.navigate({ to: '/sign-in', search: { next: addressOf(router.state.location) } });
  });

  whenRefused('email_unverified', () => isUnverified.set(true));

  const routeTree = routesWith((location) => requireSession(queries, addressOf(location)));
  const router = createRouter({
    routeTree,
    basepath: '/console',
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultPendingComponent: ScreenLoading,
    defaultErrorComponent: ScreenError,
    scrollRestoration: true,
  });
  return { router, queries };
}

type Module = Record<string, unknown>;
type BeforeLoad = (location: Parameters<typeof addressOf>[0]) => Promise<void>;

/** Each screen has a line, and so has each page of a single item. */
function routesWith(requireUser: BeforeLoad) {
  const root = createRootRoute({ notFoundComponent: NoScreen });
  const signedIn = createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    component: Shell,
    errorComponent: ({ error }) => <WithoutShell children={<ScreenError error={error} />} />,
    beforeLoad: ({ location }) => requireUser(location),
  });
  const getParentRoute = () => signedIn;
  const open = <Path extends string, T extends Module>(path: Path, load: () => Promise<T>, name: keyof T) =>
    createRoute({ getParentRoute: () => root, path, component: screen(load, name) });
  const own = <Path extends string, T extends Module>(
    path: Path,
    load: () => Promise<T>,
    name: keyof T,
    staticData = {},
  ) => createRoute({ getParentRoute, path, component: screen(load, name), staticData });
  return root.addChildren([
    open('/sign-in', () => import('./screens/sign-in/SignInPage.tsx'), 'SignInPage'),
    open('/invitation', () => import('./screens/sign-in/InvitationPage.tsx'), 'InvitationPage'),
    open('/forgot-password', () => import('./screens/sign-in/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
    open('/reset-password', () => import('./screens/sign-in/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
    open('/authorize', () => import('./screens/sign-in/AuthorizePage.tsx'), 'AuthorizePage'),
    open('/confirm-email', () => import('./screens/sign-in/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
    signedIn.addChildren([
      own('/', () => import('./screens/home/HomePage.tsx'), 'HomePage'),
      own('/inbox', () => import('./screens/inbox/InboxPage.tsx'), 'InboxPage'),
      own('/generate', () => import('./screens/generate/GeneratePage.tsx'), 'GeneratePage'),
      own('/edit', () => import('./screens/edit/EditorPage.tsx'), 'EditorPage', { fillsWindow: true }),
      createRoute({ getParentRoute, path: '/history', beforeLoad: toGenerate }),
      own('/library', () => import('./screens/library/LibraryPage.tsx'), 'LibraryPage'),
      own('/personas', () => import('./screens/personas/PersonasPage.tsx'), 'PersonasPage'),
      own('/personas/$personaId', () => import('./screens/personas/PersonaPage.tsx'), 'PersonaPage'),
      own('/boards', () => import('./screens/boards/BoardsPage.tsx'), 'BoardsPage'),
      own('/boards/$boardId', () => import('./screens/boards/BoardPage.tsx'), 'BoardPage'),
      own('/shares', () => import('./screens/shares/SharesPage.tsx'), 'SharesPage'),
      own('/batches', () => import('./screens/batches/BatchesPage.tsx'), 'BatchesPage'),
      own('/batches/$batchId', () => import('./screens/batches/BatchPage.tsx'), 'BatchPage'),
      own('/uploads', () => import('./screens/uploads/UploadsPage.tsx'), 'UploadsPage'),
      own('/team', () => import('./screens/team/TeamPage.tsx'), 'TeamPage'),
      own('/usage', () => import('./screens/usage/UsagePage.tsx'), 'UsagePage'),
      own('/tokens', () => import('./screens/tokens/TokensPage.tsx'), 'TokensPage'),
      own('/trash', () => import('./screens/trash/TrashPage.tsx'), 'TrashPage'),
      own('/audit', () => import('./screens/audit/AuditPage.tsx'), 'AuditPage'),
      own('/account', () => import('./screens/account/AccountPage.tsx'), 'AccountPage'),
      own('/operator', () => import('./screens/operator/OperatorPage.tsx'), 'OperatorPage'),
    ]),
  ]);
}

/** A screen that is loaded when it is first opened. */
function screen<T extends Module>(load: () => Promise<T>, name: keyof T) {
  return lazyRouteComponent(() => loadPart(load).catch(orNotLoaded), name);
}

/** The history was a screen of its own: its links open what they opened. */
function toGenerate({ search }: { readonly search: Readonly<Record<string, unknown>> }): void {
  const { open, state } = search;
  const found = { generation: open, failed: state === 'failed' || undefined } as never;
  redirect({ to: '/generate', search: found, replace: true, throw: true });
}

/** Without the fragment, which may contain the secret of a link. */
function addressOf({ pathname, searchStr }: { readonly pathname: string; readonly searchStr: string }): string {
  return pathname + searchStr;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** True if the screen takes the whole window, without the bars of the shell. */
    readonly fillsWindow?: boolean;
  }
  interface Register {
    router: ReturnType<typeof createConsoleRouter>['router'];
  }
}
