import { useMediaQuery } from '@mantine/hooks';

/** Reports whether the window is as narrow as a phone, as in the style sheets. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 800px)', undefined, { getInitialValueInEffect: false });
}
