import {
  type ActionIconFactory,
  type BadgeFactory,
  type ButtonFactory,
  type ComboboxFactory,
  createTheme,
  type CSSVariablesResolver,
  type DrawerFactory,
  type ExtendComponent,
  type FactoryPayload,
  type InputFactory,
  type InputWrapperFactory,
  type MantineColorsTuple,
  type MenuFactory,
  type ModalFactory,
  type NotificationFactory,
  type PaperFactory,
  type SegmentedControlFactory,
  type SkeletonFactory,
  type TableFactory,
  type TabsFactory,
  type TooltipFactory,
} from '@mantine/core';
import classes from './theme.module.css';
import { uiWords } from './ui/index.ts';

/** Deep green, for controls and for chosen items. */
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
  '#efece6',
  '#cfcbc3',
  '#aaa59c',
  '#8b867d',
  '#44413d',
  '#34322f',
  '#2a2826',
  '#201f1d',
  '#171615',
  '#0e0d0d',
];

const dialog = {
  closeButtonProps: { 'aria-label': uiWords.close },
  overlayProps: { backgroundOpacity: 0.35, blur: 2 },
  radius: 'lg',
  transitionProps: { duration: 140 },
};

/** The same as `Component.extend`, without loading each component with the first page. */
function of<T extends FactoryPayload>(extension: ExtendComponent<T>) {
  return extension;
}

export const theme = createTheme({
  colors: { sea, gray, dark },
  primaryColor: 'sea',
  primaryShade: { light: 7, dark: 6 },
  black: '#1d1b18',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    '"Figtree Variable", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.78rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.5' },
  headings: {
    fontWeight: '680',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.2' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  radius: { xs: '4px', sm: '7px', md: '10px', lg: '16px', xl: '24px' },
  shadows: {
    xs: '0 1px 2px rgb(29 27 24 / 5%)',
    sm: '0 1px 2px rgb(29 27 24 / 6%), 0 3px 10px rgb(29 27 24 / 5%)',
    md: '0 2px 4px rgb(29 27 24 / 5%), 0 12px 32px rgb(29 27 24 / 10%)',
    lg: '0 4px 8px rgb(29 27 24 / 6%), 0 24px 60px rgb(29 27 24 / 16%)',
  },
  components: {
    ActionIcon: of<ActionIconFactory>({ defaultProps: { variant: 'subtle', color: 'gray', size: 'lg' } }),
    Badge: of<BadgeFactory>({ defaultProps: { variant: 'light', radius: 'sm' }, classNames: { root: classes.badge } }),
    Button: of<ButtonFactory>({ classNames: { root: classes.button } }),
    // A hidden list is placed beyond the screen of a phone, which zooms out: its field moves, which hides the list again.
    Combobox: of<ComboboxFactory>({ defaultProps: { hideDetached: false } }),
    Drawer: of<DrawerFactory>({
      defaultProps: dialog,
      classNames: { content: classes.dialog, header: classes.dialog },
    }),
    Input: of<InputFactory>({ classNames: { input: classes.input } }),
    InputWrapper: of<InputWrapperFactory>({ classNames: { label: classes.label } }),
    Menu: of<MenuFactory>({
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        position: 'bottom-end',
        transitionProps: { duration: 100 },
        // The first item has the focus: a menu may not contain what is no item and takes it.
        withInitialFocusPlaceholder: false,
      },
      classNames: { dropdown: classes.floating },
    }),
    Modal: of<ModalFactory>({
      defaultProps: { ...dialog, centered: true },
      classNames: { content: classes.dialog, header: classes.dialog, title: classes.dialogTitle },
    }),
    Notification: of<NotificationFactory>({ defaultProps: { closeButtonProps: { 'aria-label': uiWords.close } } }),
    Paper: of<PaperFactory>({ defaultProps: { radius: 'lg' } }),
    SegmentedControl: of<SegmentedControlFactory>({
      defaultProps: { radius: 'md' },
      classNames: { root: classes.segments },
    }),
    Skeleton: of<SkeletonFactory>({ defaultProps: { radius: 'md' } }),
    Table: of<TableFactory>({ classNames: { th: classes.th }, defaultProps: { verticalSpacing: 'sm' } }),
    Tabs: of<TabsFactory>({ classNames: { list: classes.tabs, tab: classes.tab } }),
    Tooltip: of<TooltipFactory>({ defaultProps: { openDelay: 250, withArrow: true, radius: 'sm' } }),
  },
});

/**
 * Backgrounds: `--ground` of the frame, `--sheet` of screens, `--mantine-color-body` of cards, which have a `--line` around
 * them. Chosen items have the background `--tint` and the text color `--on-tint`.
 */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-default-border': gray[3],
    '--mantine-color-dimmed': gray[6],
    '--mantine-color-placeholder': '#79736a',
    '--mantine-color-error': '#c02a2a',
    '--mantine-color-yellow-light-color': '#7d4a00',
    '--ground': '#efece6',
    '--sheet': '#faf9f7',
    '--line': gray[2],
    '--tint': sea[0],
    '--on-tint': sea[8],
    '--lifted': '#ffffff',
  },
  dark: {
    '--mantine-color-body': dark[7],
    '--mantine-color-default-border': dark[4],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': '#98938a',
    '--mantine-color-error': '#ff8f87',
    '--mantine-color-red-filled': '#c92f2f',
    '--mantine-color-red-filled-hover': '#b52a2a',
    '--ground': dark[9],
    '--sheet': dark[8],
    '--line': dark[5],
    '--tint': '#12332d',
    '--on-tint': sea[2],
    '--lifted': dark[6],
  },
});
