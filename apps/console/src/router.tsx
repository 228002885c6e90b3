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

const screens = {
  SignIn: screen(() => import('./screens/sign-in/SignInPage.tsx'), 'SignInPage'),
  Invitation: screen(() => import('./screens/sign-in/InvitationPage.tsx'), 'InvitationPage'),
  ForgotPassword: screen(() => import('./screens/sign-in/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
  ResetPassword: screen(() => import('./screens/sign-in/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
  ConfirmEmail: screen(() => import('./screens/sign-in/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
  Home: screen(() => import('./screens/home/HomePage.tsx'), 'HomePage'),
  Inbox: screen(() => import('./screens/inbox/InboxPage.tsx'), 'InboxPage'),
  Generate: screen(() => import('./screens/generate/GeneratePage.tsx'), 'GeneratePage'),
  Edit: screen(() => import('./screens/edit/EditorPage.tsx'), 'EditorPage'),
  Library: screen(() => import('./screens/library/LibraryPage.tsx'), 'LibraryPage'),
  Personas: screen(() => import('./screens/personas/PersonasPage.tsx'), 'PersonasPage'),
  Persona: screen(() => import('./screens/personas/PersonaPage.tsx'), 'PersonaPage'),
  Boards: screen(() => import('./screens/boards/BoardsPage.tsx'), 'BoardsPage'),
  Board: screen(() => import('./screens/boards/BoardPage.tsx'), 'BoardPage'),
  Shares: screen(() => import('./screens/shares/SharesPage.tsx'), 'SharesPage'),
  Batches: screen(() => import('./screens/batches/BatchesPage.tsx'), 'BatchesPage'),
  Batch: screen(() => import('./screens/batches/BatchPage.tsx'), 'BatchPage'),
  Uploads: screen(() => import('./screens/uploads/UploadsPage.tsx'), 'UploadsPage'),
  Team: screen(() => import('./screens/team/TeamPage.tsx'), 'TeamPage'),
  Usage: screen(() => import('./screens/usage/UsagePage.tsx'), 'UsagePage'),
  Tokens: screen(() => import('./screens/tokens/TokensPage.tsx'), 'TokensPage'),
  Trash: screen(() => import('./screens/trash/TrashPage.tsx'), 'TrashPage'),
  Audit: screen(() => import('./screens/audit/AuditPage.tsx'), 'AuditPage'),
  Account: screen(() => import('./screens/account/AccountPage.tsx'), 'AccountPage'),
  Operator: screen(() => import('./screens/operator/OperatorPage.tsx'), 'OperatorPage'),
};

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
  const own = { getParentRoute: () => signedIn };
  const open = { getParentRoute: () => root };
  return root.addChildren([
    createRoute({ ...open, path: '/sign-in', component: screens.SignIn }),
    createRoute({ ...open, path: '/invitation', component: screens.Invitation }),
    createRoute({ ...open, path: '/forgot-password', component: screens.ForgotPassword }),
    createRoute({ ...open, path: '/reset-password', component: screens.ResetPassword }),
    createRoute({ ...open, path: '/confirm-email', component: screens.ConfirmEmail }),
    signedIn.addChildren([
      createRoute({ ...own, path: '/', component: screens.Home }),
      createRoute({ ...own, path: '/inbox', component: screens.Inbox }),
      createRoute({ ...own, path: '/generate', component: screens.Generate }),
      createRoute({ ...own, path: '/edit', component: screens.Edit, staticData: { fillsWindow: true } }),
      createRoute({ ...own, path: '/history', beforeLoad: toGenerate }),
      createRoute({ ...own, path: '/library', component: screens.Library }),
      createRoute({ ...own, path: '/personas', component: screens.Personas }),
      createRoute({ ...own, path: '/personas/$personaId', component: screens.Persona }),
      createRoute({ ...own, path: '/boards', component: screens.Boards }),
      createRoute({ ...own, path: '/boards/$boardId', component: screens.Board }),
      createRoute({ ...own, path: '/shares', component: screens.Shares }),
      createRoute({ ...own, path: '/batches', component: screens.Batches }),
      createRoute({ ...own, path: '/batches/$batchId', component: screens.Batch }),
      createRoute({ ...own, path: '/uploads', component: screens.Uploads }),
      createRoute({ ...own, path: '/team', component: screens.Team }),
      createRoute({ ...own, path: '/usage', component: screens.Usage }),
      createRoute({ ...own, path: '/tokens', component: screens.Tokens }),
      createRoute({ ...own, path: '/trash', component: screens.Trash }),
      createRoute({ ...own, path: '/audit', component: screens.Audit }),
      createRoute({ ...own, path: '/account', component: screens.Account }),
      createRoute({ ...own, path: '/operator', component: screens.Operator }),
    ]),
  ]);
}

/** A screen that is loaded when it is first opened. */
function screen<T extends Record<string, unknown>, K extends keyof T>(load: () => Promise<T>, name: K) {
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
