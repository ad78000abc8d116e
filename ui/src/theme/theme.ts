import { colorsTuple, createTheme, DEFAULT_THEME, type MantineColorsTuple } from '@mantine/core';

/** One accent for what can be acted on; the status colours are apart from it (`theme.css`). */
const INK: MantineColorsTuple = [
  '#eef3ff',
  '#dce4f7',
  '#b7c7ec',
  '#8fa8e1',
  '#6d8dd8',
  '#577cd2',
  '#4a72d0',
  '#3a5fb6',
  '#3155a4',
  '#244992',
];

/** Mantine's own, with darker ends: white words on a button of its last three have too little contrast. */
const RED = colorsTuple([...DEFAULT_THEME.colors.red.slice(0, 7), '#d42f2f', '#c92a2a', '#b02525']);

/** Colder than Mantine's own, with more steps where an application has its surfaces. */
const DARK: MantineColorsTuple = [
  '#d5dae3',
  '#b4bccb',
  '#8f99ac',
  '#6a7488',
  '#3d4658',
  '#2f3747',
  '#252c3a',
  '#171c26',
  '#11151d',
  '#0b0e14',
];

/** The look of both faces: dense, system fonts (nothing is fetched), square-ish corners, tabular figures. */
export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  colors: { ink: INK, dark: DARK, red: RED },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Select: { defaultProps: { size: 'xs' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: {
      defaultProps: { size: 'xs', visibilityToggleButtonProps: { 'aria-label': 'Show what is typed' } },
    },
    NumberInput: { defaultProps: { size: 'xs' } },
    // What is wrong with a field is heard when it is found, not when the field is come back to.
    InputError: { defaultProps: { role: 'alert' } },
    // Its choices take another line where there is no room beside each other.
    SegmentedControl: { defaultProps: { size: 'xs' }, styles: { root: { flexWrap: 'wrap', maxWidth: '100%' } } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    // The first item has the focus: a menu may have nothing but items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Popover: { styles: { dropdown: { maxWidth: 'calc(100vw - 1rem)' } } },
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: 120 },
        closeButtonProps: { 'aria-label': 'Close' },
        // A header is a landmark of the page, and that has one.
        attributes: { header: { role: 'presentation' } },
      },
      styles: { title: { fontWeight: 600 }, body: { overflowWrap: 'anywhere' } },
    },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      // Mantine's own grey has too little contrast beside a title.
      styles: { title: { overflowWrap: 'anywhere' }, description: { color: 'var(--text-soft)' } },
    },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } } },
  },
});
