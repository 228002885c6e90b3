import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** Deep green of the sea: what can be pressed, and what is chosen. */
const sea: MantineColorsTuple = [
  '#e6f6f2',
  '#cdebe4',
  '#9edacd',
  '#6cc7b5',
  '#43b29d',
  '#1f9683',
  '#0f7f6f',
  '#0c675d',
  '#0a534c',
  '#073d38',
];

/** Warm greys of paper and ink. */
const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f3f1ed',
  '#e8e5df',
  '#dad6ce',
  '#c4bfb5',
  '#8d877c',
  '#68635a',
  '#4c4841',
  '#33302b',
  '#1d1b18',
];

const dark: MantineColorsTuple = [
  '#ebe8e2',
  '#cbc7bf',
  '#a9a49b',
  '#8b867d',
  '#3f3d3a',
  '#302e2c',
  '#242321',
  '#1a1918',
  '#131211',
  '#0c0b0b',
];

export const theme = createTheme({
  colors: { sea, gray, dark },
  primaryColor: 'sea',
  primaryShade: { light: 7, dark: 6 },
  black: '#1d1b18',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.2' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
    },
  },
  radius: { xs: '4px', sm: '6px', md: '9px', lg: '14px', xl: '20px' },
  shadows: {
    xs: '0 1px 2px rgb(29 27 24 / 6%)',
    sm: '0 1px 2px rgb(29 27 24 / 6%), 0 3px 10px rgb(29 27 24 / 5%)',
    md: '0 2px 4px rgb(29 27 24 / 6%), 0 10px 28px rgb(29 27 24 / 9%)',
  },
});

/** The ground that surfaces lie on, and lines between things. Surfaces themselves are `--mantine-color-body`. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-default-border': gray[3],
    '--mantine-color-dimmed': gray[6],
    '--ground': '#f6f4f0',
    '--line': gray[2],
    '--tint': sea[0],
    '--on-tint': sea[8],
  },
  dark: {
    '--mantine-color-body': dark[7],
    '--mantine-color-default-border': dark[4],
    '--ground': dark[8],
    '--line': dark[5],
    '--tint': '#15302b',
    '--on-tint': sea[2],
  },
});
