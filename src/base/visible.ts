// Makes text from others safe to print: nothing in it can move the cursor, or hide or reorder the text beside it.

const PLAIN = /^[\x20-\x7e\n\t]*$/;
const UNSAFE = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu;

/**
 * Replaces control characters and direction marks by their escapes (`\u001b`), so that JSON stays JSON with the same meaning. Line breaks and tabs
 * stay.
 */
export const visible = (text: string): string => (PLAIN.test(text) ? text : text.replace(UNSAFE, escaped));

function escaped(characters: string): string {
  let text = '';
  for (let unit = 0; unit < characters.length; unit++) text += `\\u${characters.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  return text;
}
