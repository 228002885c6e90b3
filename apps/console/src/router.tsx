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

/** The router and the query cache. Each screen has a line, and so has each page of a single item. */
export function createConsoleRouter() {
  const queries = createQueryClient();
  whenRefused('unauthenticated', () => {
    // Pages outside this route need no session.
    if (!router.state.matches.some(({ routeId }) => routeId === '/signed-in')) return;
    queries.clear();
    void router.navigate({ to: '/sign-in', search: { next: addressOf(router.state.location) } });
  });

  whenRefused('email_unverified', () => isUnverified.set(true));

  const root = createRootRoute({ notFoundComponent: NoScreen });
  const signedIn = createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    component: Shell,
    errorComponent: ({ error }) => <WithoutShell children={<ScreenError error={error} />} />,
    beforeLoad: ({ location }) => requireSession(queries, addressOf(location)),
  });
  const own = { getParentRoute: () => signedIn };
  const open = { getParentRoute: () => root };

  const SignIn = screen(() => import('./screens/sign-in/SignInPage.tsx'), 'SignInPage');
  const Invitation = screen(() => import('./screens/sign-in/InvitationPage.tsx'), 'InvitationPage');
  const ForgotPassword = screen(() => import('./screens/sign-in/ForgotPasswordPage.tsx'), 'ForgotPasswordPage');
  const ResetPassword = screen(() => import('./screens/sign-in/ResetPasswordPage.tsx'), 'ResetPasswordPage');
  const ConfirmEmail = screen(() => import('./screens/sign-in/ConfirmEmailPage.tsx'), 'ConfirmEmailPage');
  const Home = screen(() => import('./screens/home/HomePage.tsx'), 'HomePage');
  const Generate = screen(() => import('./screens/generate/GeneratePage.tsx'), 'GeneratePage');
  const Edit = screen(() => import('./screens/edit/EditorPage.tsx'), 'EditorPage');
  const Library = screen(() => import('./screens/library/LibraryPage.tsx'), 'LibraryPage');
  const Personas = screen(() => import('./screens/personas/PersonasPage.tsx'), 'PersonasPage');
  const Persona = screen(() => import('./screens/personas/PersonaPage.tsx'), 'PersonaPage');
  const Boards = screen(() => import('./screens/boards/BoardsPage.tsx'), 'BoardsPage');
  const Board = screen(() => import('./screens/boards/BoardPage.tsx'), 'BoardPage');
  const Batches = screen(() => import('./screens/batches/BatchesPage.tsx'), 'BatchesPage');
  const Batch = screen(() => import('./screens/batches/BatchPage.tsx'), 'BatchPage');
  const Uploads = screen(() => import('./screens/uploads/UploadsPage.tsx'), 'UploadsPage');
  const Team = screen(() => import('./screens/team/TeamPage.tsx'), 'TeamPage');
  const Usage = screen(() => import('./screens/usage/UsagePage.tsx'), 'UsagePage');
  const Tokens = screen(() => import('./screens/tokens/TokensPage.tsx'), 'TokensPage');
  const Trash = screen(() => import('./screens/trash/TrashPage.tsx'), 'TrashPage');
  const Audit = screen(() => import('./screens/audit/AuditPage.tsx'), 'AuditPage');
  const Account = screen(() => import('./screens/account/AccountPage.tsx'), 'AccountPage');
  const Operator = screen(() => import('./screens/operator/OperatorPage.tsx'), 'OperatorPage');

  const routeTree = root.addChildren([
    createRoute({ ...open, path: '/sign-in', component: SignIn }),
    createRoute({ ...open, path: '/invitation', component: Invitation }),
    createRoute({ ...open, path: '/forgot-password', component: ForgotPassword }),
    createRoute({ ...open, path: '/reset-password', component: ResetPassword }),
    createRoute({ ...open, path: '/confirm-email', component: ConfirmEmail }),
    signedIn.addChildren([
      createRoute({ ...own, path: '/', component: Home }),
      createRoute({ ...own, path: '/generate', component: Generate }),
      createRoute({ ...own, path: '/edit', component: Edit, staticData: { fillsWindow: true } }),
      createRoute({ ...own, path: '/history', beforeLoad: toGenerate }),
      createRoute({ ...own, path: '/library', component: Library }),
      createRoute({ ...own, path: '/personas', component: Personas }),
      createRoute({ ...own, path: '/personas/$personaId', component: Persona }),
      createRoute({ ...own, path: '/boards', component: Boards }),
      createRoute({ ...own, path: '/boards/$boardId', component: Board }),
      createRoute({ ...own, path: '/batches', component: Batches }),
      createRoute({ ...own, path: '/batches/$batchId', component: Batch }),
      createRoute({ ...own, path: '/uploads', component: Uploads }),
      createRoute({ ...own, path: '/team', component: Team }),
      createRoute({ ...own, path: '/usage', component: Usage }),
      createRoute({ ...own, path: '/tokens', component: Tokens }),
      createRoute({ ...own, path: '/trash', component: Trash }),
      createRoute({ ...own, path: '/audit', component: Audit }),
      createRoute({ ...own, path: '/account', component: Account }),
      createRoute({ ...own, path: '/operator', component: Operator }),
    ]),
  ]);
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
    /** Whether the screen takes the whole window, without the bars of the shell. */
    readonly fillsWindow?: boolean;
  }
  interface Register {
    router: ReturnType<typeof createConsoleRouter>['router'];
  }
}
