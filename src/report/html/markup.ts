// Text that is HTML, and the only way to make it: whatever is put in is escaped, unless it was made here.

/** HTML that is safe to write as it stands. Nothing else can be an instance of it. */
export class Markup {
  readonly #text: string;

  /** For this file, and for what has been made safe by other means. */
  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Part = string | number | Markup | undefined | readonly Part[];

/** Tag of a template. Undefined is nothing, a list is its parts one after the other. */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(texts.map((text, i) => text + written(parts[i])).join(''));

function written(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.toString();
  if (typeof part === 'object') return part.map(written).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A script as an element's text: it can neither end the element nor begin a comment. Written so that it means the same in strings and patterns. */
export const scriptText = (source: string): string => source.replace(/<(\/script|!--)/gi, '\\x3c$1');

/** JSON as an element's text. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
