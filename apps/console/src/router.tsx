import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { createQueryClient, whenSignedOut } from './api/index.ts';
import {
  NotFound,
  orNotLoaded,
  requireSession,
  ScreenError,
  ScreenLoading,
  Shell,
  WithoutShell,
} from './shell/index.ts';

/** The router, and the cache of what it shows. One line a screen, and one more for each that shows a single thing. */
export function createConsoleRouter() {
  const queries = createQueryClient();
  whenSignedOut(() => {
    // Other pages are open to everyone.
    if (!router.state.matches.some(({ routeId }) => routeId === '/signed-in')) return;
    queries.clear();
    void router.navigate({ to: '/sign-in', search: { next: addressOf(router.state.location) } });
  });

  const root = createRootRoute({ notFoundComponent: NotFound });
  const signedIn = createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    component: Shell,
    errorComponent: ({ error }) => <WithoutShell children={<ScreenError error={error} />} />,
    beforeLoad: ({ location }) => requireSession(queries, addressOf(location)),
  });
  const own = { getParentRoute: () => signedIn };
  const open = { getParentRoute: () => root };

  const SignIn = lazyRouteComponent(() => import('./screens/sign-in/SignInPage.tsx').catch(orNotLoaded), 'SignInPage');
  const Invitation = lazyRouteComponent(
    () => import('./screens/sign-in/InvitationPage.tsx').catch(orNotLoaded),
    'InvitationPage',
  );
  const Home = lazyRouteComponent(() => import('./screens/home/HomePage.tsx').catch(orNotLoaded), 'HomePage');
  const Generate = lazyRouteComponent(
    () => import('./screens/generate/GeneratePage.tsx').catch(orNotLoaded),
    'GeneratePage',
  );
  const History = lazyRouteComponent(
    () => import('./screens/history/HistoryPage.tsx').catch(orNotLoaded),
    'HistoryPage',
  );
  const Personas = lazyRouteComponent(
    () => import('./screens/personas/PersonasPage.tsx').catch(orNotLoaded),
    'PersonasPage',
  );
  const Persona = lazyRouteComponent(
    () => import('./screens/personas/PersonaPage.tsx').catch(orNotLoaded),
    'PersonaPage',
  );
  const Boards = lazyRouteComponent(() => import('./screens/boards/BoardsPage.tsx').catch(orNotLoaded), 'BoardsPage');
  const Board = lazyRouteComponent(() => import('./screens/boards/BoardPage.tsx').catch(orNotLoaded), 'BoardPage');
  const Uploads = lazyRouteComponent(
    () => import('./screens/uploads/UploadsPage.tsx').catch(orNotLoaded),
    'UploadsPage',
  );
  const Team = lazyRouteComponent(() => import('./screens/team/TeamPage.tsx').catch(orNotLoaded), 'TeamPage');
  const Usage = lazyRouteComponent(() => import('./screens/usage/UsagePage.tsx').catch(orNotLoaded), 'UsagePage');
  const Tokens = lazyRouteComponent(() => import('./screens/tokens/TokensPage.tsx').catch(orNotLoaded), 'TokensPage');
  const Operator = lazyRouteComponent(
    () => import('./screens/operator/OperatorPage.tsx').catch(orNotLoaded),
    'OperatorPage',
  );

  const routeTree = root.addChildren([
    createRoute({ ...open, path: '/sign-in', component: SignIn }),
    createRoute({ ...open, path: '/invitation', component: Invitation }),
    signedIn.addChildren([
      createRoute({ ...own, path: '/', component: Home }),
      createRoute({ ...own, path: '/generate', component: Generate }),
      createRoute({ ...own, path: '/history', component: History }),
      createRoute({ ...own, path: '/personas', component: Personas }),
      createRoute({ ...own, path: '/personas/$personaId', component: Persona }),
      createRoute({ ...own, path: '/boards', component: Boards }),
      createRoute({ ...own, path: '/boards/$boardId', component: Board }),
      createRoute({ ...own, path: '/uploads', component: Uploads }),
      createRoute({ ...own, path: '/team', component: Team }),
      createRoute({ ...own, path: '/usage', component: Usage }),
      createRoute({ ...own, path: '/tokens', component: Tokens }),
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

/** Without the fragment: secrets of links stand there. */
function addressOf({ pathname, searchStr }: { readonly pathname: string; readonly searchStr: string }): string {
  return pathname + searchStr;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>['router'];
  }
}
