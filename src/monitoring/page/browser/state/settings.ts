// Settings stored in this browser: theme, and local time or UTC.
import { effect, signal } from '@preact/signals';

const THEME = 'tickwright-theme';
const UTC = 'tickwright-utc';

export const theme = signal<'dark' | 'light'>(localStorage.getItem(THEME) === 'light' ? 'light' : 'dark');
export const isUtc = signal(localStorage.getItem(UTC) === 'yes');

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
  localStorage.setItem(THEME, theme.value);
});
effect(() => localStorage.setItem(UTC, isUtc.value ? 'yes' : 'no'));
