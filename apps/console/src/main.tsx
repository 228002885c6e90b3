import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from '@tanstack/react-router';
import { createConsoleRouter } from './router.tsx';
import { Providers, takeInvitation } from './shell/index.ts';

takeInvitation();
const { router, queries } = createConsoleRouter();
createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <Providers queries={queries}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
