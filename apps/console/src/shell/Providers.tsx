import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { theme, variables } from '../theme.ts';

/** The nonce that the Content-Security-Policy requires for styles. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// The name under which libraries of Mantine read it.
Object.assign(globalThis, { __webpack_nonce__: nonce });

export function Providers({ queries, children }: { readonly queries: QueryClient; readonly children: ReactNode }) {
  return (
    <QueryClientProvider client={queries}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        deduplicateCssVariables={false}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        {children}
      </MantineProvider>
    </QueryClientProvider>
  );
}
