// Makes untrusted text safe to print: it cannot move the cursor, or hide or reorder other text.

const PLAIN = /^[\x20-\x7e\n\t]*$/;
const UNSAFE = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu;
const UNSAFE_IN_A_LINE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const MAX_CHARACTERS = 300;

/**
 * Replaces control characters and direction marks by their escapes (`\u001b`), so that JSON stays JSON with the same meaning. Line breaks and tabs
 * stay.
 */
export const visible = (text: string): string => (PLAIN.test(text) ? text : text.replace(UNSAFE, escaped));

/** Returns the text on one line, with escapes for line breaks and tabs too, and at most 300 characters of it. */
export function printable(text: string): string {
  const safe = text.slice(0, 2 * (MAX_CHARACTERS + 1)).replace(UNSAFE_IN_A_LINE, escaped); // a character has at most two code units
  const characters = Array.from(safe);
  return characters.length <= MAX_CHARACTERS ? safe : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
}

function escaped(characters: string): string {
  let text = '';
  for (let unit = 0; unit < characters.length; unit++) text += `\\u${characters.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  return text;
}
