// Settings stored in this browser: theme, which follows the system until it is chosen, and local time or UTC.
import { computed, effect, signal } from '@preact/signals';

const THEME = 'tickwright-theme';
const UTC = 'tickwright-utc';

type Theme = 'dark' | 'light';

/** The theme that the person chose; null until then. */
const chosen = signal(localStorage.getItem(THEME) as Theme | null);
const light = matchMedia('(prefers-color-scheme: light)');
const system = signal<Theme>(light.matches ? 'light' : 'dark');
light.addEventListener('change', ({ matches }) => (system.value = matches ? 'light' : 'dark'));

export const theme = computed<Theme>(() => chosen.value ?? system.value);

/** Changes to the other theme. Choosing that of the system follows the system again. */
export function changeTheme(): void {
  const next = theme.value === 'dark' ? 'light' : 'dark';
  chosen.value = next === system.value ? null : next;
  if (chosen.value === null) localStorage.removeItem(THEME);
  else localStorage.setItem(THEME, next);
}

/** True if times are shown in UTC instead of local time. */
export const isUtc = signal(localStorage.getItem(UTC) === 'yes');

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});
effect(() => localStorage.setItem(UTC, isUtc.value ? 'yes' : 'no'));
