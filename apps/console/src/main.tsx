import '@fontsource-variable/figtree/index.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import './theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from '@tanstack/react-router';
import { createConsoleRouter } from './router.tsx';
import { Providers, takeLinkSecret } from './shell/index.ts';

takeLinkSecret();
const { router, queries } = createConsoleRouter();
createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <Providers queries={queries}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
