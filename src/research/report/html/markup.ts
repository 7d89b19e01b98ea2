// HTML as a type. The `markup` template escapes every value that is not itself `Markup`.

/** HTML that is safe to write unescaped. */
export class Markup {
  readonly #text: string;

  /** Use it only for text that is already safe; all other text goes through the template. */
  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Part = string | number | Markup | undefined | readonly Part[];

/** Template tag. Undefined becomes nothing, a list its concatenated parts. */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(texts.map((text, i) => text + htmlOf(parts[i])).join(''));

function htmlOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.toString();
  if (typeof part === 'object') return part.map(htmlOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Escapes a script for a script element, so that it cannot end the element or begin a comment. The escape is valid in strings and patterns. */
export const scriptText = (source: string): string => source.replace(/<(\/script|!--)/gi, '\\x3c$1');

/** Returns a value as JSON, escaped for a script element. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
