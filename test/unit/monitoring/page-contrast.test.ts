// The colours of the page: text on each of its backgrounds has the contrast that WCAG 2.2 requires (1.4.3), in both themes.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const CSS = readFileSync(new URL('../../../src/program/monitoring/page/browser/page.css', import.meta.url), 'utf8');
/** Required for text below 24 px. */
const LEAST = 4.5;

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const channel = (hex: string, at: number): number => (hex.length > at ? Number.parseInt(hex.slice(at, at + 2), 16) / 255 : 1);
const colourOf = (hex: string): Colour => [channel(hex, 1), channel(hex, 3), channel(hex, 5), channel(hex, 7)];

/** Returns the colours of a rule by name. */
const colours = (selector: string): ReadonlyMap<string, Colour> => {
  const rule = CSS.slice(CSS.indexOf(`${selector} {`)).split('}')[0] ?? '';
  return new Map([...rule.matchAll(/--(\w+): (#[0-9a-f]{6,8});/g)].map(([, name = '', hex = '']) => [name, colourOf(hex)]));
};

const over = ([r, g, b, alpha]: Colour, [r0, g0, b0]: Colour): Colour => {
  const mixed = (top: number, below: number): number => top * alpha + below * (1 - alpha);
  return [mixed(r, r0), mixed(g, g0), mixed(b, b0), 1];
};

/** Undoes the gamma of sRGB. */
const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Relative luminance, as WCAG defines it. */
const luminance = ([r, g, b]: Colour): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

const contrast = (text: Colour, back: Colour): number => {
  const [low = 0, high = 0] = [luminance(text), luminance(back)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** Each text with the backgrounds that it stands on; a translucent one lies on a panel. */
const PAIRS = {
  text: ['back', 'panel', 'lift', 'ownback', 'downback'],
  quiet: ['back', 'panel', 'lift', 'ownback'],
  up: ['back', 'panel', 'ownback', 'upback'],
  down: ['back', 'panel', 'ownback', 'downback'],
  own: ['panel', 'ownback'],
  warn: ['panel'],
  link: ['panel'],
  panel: ['down'],
} as const;

test.each([
  ['dark', ':root', ':root'],
  ['light', ':root', ':root[data-theme="light"]'],
])('%s', (_, base, theme) => {
  const found = new Map([...colours(base), ...colours(theme)]);
  const colour = (name: string): Colour => found.get(name) ?? expect.unreachable(`page.css has no --${name}`);
  const weak = Object.entries(PAIRS).flatMap(([text, backs]) =>
    backs
      .map((back) => ({ pair: `${text} on ${back}`, contrast: contrast(colour(text), over(colour(back), colour('panel'))) }))
      .filter((one) => one.contrast < LEAST),
  );
  expect(weak).toEqual([]);
});
