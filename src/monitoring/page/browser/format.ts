// Formats numbers and times for display.

/** `60012.40` as `60,012.40`; the text of a number has no exponent. */
export function grouped(text: string): string {
  const [whole = '', ...rest] = text.split('.');
  return [whole.replace(/\B(?=(\d{3})+(?!\d))/g, ','), ...rest].join('.');
}

/** `+1,234.50`: two decimals, grouped digits, a sign, and a typographic minus. */
export const signed = (text: string): string => {
  const fixed = money(text);
  return /[1-9]/.test(fixed) && !fixed.startsWith('−') ? `+${fixed}` : fixed;
};

/** `1,234.50`: two decimals, grouped digits. */
export function money(text: string): string {
  const value = Number(text);
  const fixed = grouped(Math.abs(value).toFixed(2));
  return value < 0 && /[1-9]/.test(fixed) ? `−${fixed}` : fixed;
}

/** The CSS class for the colour of an amount: `up`, `down` or empty. */
export const tone = (text: string | undefined): string => {
  const value = Number(text ?? 0);
  return Math.abs(value) < 0.005 ? '' : value > 0 ? 'up' : 'down';
};

/** `0.2 s`, `12 s`, `3 min`, `2 h` */
export function age(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}

export const percent = (share: number, digits = 0): string => `${(share * 100).toFixed(digits).replace('-', '−')} %`;

const two = (value: number): string => String(value).padStart(2, '0');

/** `12:03:04` in local time or UTC. */
export function clock(at: number, isUtc: boolean): string {
  const date = new Date(at);
  return isUtc
    ? `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
    : `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
