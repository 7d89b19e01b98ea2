// Formats numbers and times for display.

/** Groups the digits of a number's text: `60012.40` as `60,012.40`. The text has no exponent. */
export function grouped(text: string): string {
  const [whole = '', ...rest] = text.split('.');
  return [whole.replace(/\B(?=(\d{3})+(?!\d))/g, ','), ...rest].join('.');
}

/** Formats an amount with two decimals, grouped digits and a sign: `+1,234.50`, `−0.10`. */
export const signed = (text: string): string => {
  const fixed = money(text);
  return /[1-9]/.test(fixed) && !fixed.startsWith('−') ? `+${fixed}` : fixed;
};

/** Formats an amount with two decimals and grouped digits: `1,234.50`. */
export function money(text: string): string {
  const value = Number(text);
  const fixed = grouped(Math.abs(value).toFixed(2));
  return value < 0 && /[1-9]/.test(fixed) ? `−${fixed}` : fixed;
}

/** The CSS class for the colour of an amount: `up`, `down` or empty. */
export const tone = (text: string | undefined): string => {
  const value = Number(text ?? 0);
  if (Math.abs(value) < 0.005) return '';
  return value > 0 ? 'up' : 'down';
};

/** Formats a duration in milliseconds: `0.2 s`, `12 s`, `3 min`, `2 h`. */
export function age(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}

/** Formats a share: 0.5 as `50 %`. */
export const percent = (share: number, digits = 0): string => `${(share * 100).toFixed(digits).replace('-', '−')} %`;

const two = (value: number): string => String(value).padStart(2, '0');

/** Formats a time of day in local time or UTC: `12:03:04`. */
export function clock(at: number, isUtc: boolean): string {
  const date = new Date(at);
  return isUtc
    ? `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
    : `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Formats a date and time in local time or UTC: `2026-01-31 12:03`. */
export function date(at: number, isUtc: boolean): string {
  const when = new Date(at);
  const day = isUtc
    ? [when.getUTCFullYear(), when.getUTCMonth() + 1, when.getUTCDate()]
    : [when.getFullYear(), when.getMonth() + 1, when.getDate()];
  return `${day.map(two).join('-')} ${clock(at, isUtc).slice(0, 5)}`;
}
