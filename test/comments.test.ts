// No comment begins with the name of what it describes: a rename changes such a word, and leaves a sentence that says nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const files = ['src', 'strategies', 'test', 'bench']
  .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => /\.tsx?$/.test(file) && file !== 'test/comments.test.ts')
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

/** The first word of a comment, unless it is quoted, and of the declaration or the field after it. */
const COMMENTED =
  /(?:\/\*\*\s+(?:\* )?|^[ \t]*\/\/ )([A-Za-z_]\w*)\b[^\n]*\n(?:[ \t]*(?:\*|\/\/)[^\n]*\n)*[ \t]*(?:(?:export|default|abstract|readonly|static|async|override|private|const|let|function\*?|class|interface|type|get|set) )*#?(\w+)/gm;
const COMMENT = /(?:\/\*\*\s+(?:\* )?|^(?![ \t]*\/\/.*\n[ \t]*\/\/)[ \t]*\/\/ )([A-Za-z]\w*)\b(?![’'])/gm;
/** A name of two words or more, which no sentence has: `MarkCandles`, `markCandles`. */
const COMPOUND = /^[A-Za-z][a-z0-9]+([A-Z][a-z0-9]*)+$/;

const namesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:const|let|function\*?|class|interface|type) (\w+)/g)].map(([, name = '']) => name);

/** Returns the names with which comments begin: of the declaration after the comment, or of two words and in `declared`. */
function badBeginnings(text: string, declared: ReadonlySet<string>): string[] {
  const own = [...text.matchAll(COMMENTED)].filter(([, word, name = '']) => word === name && name.length > 1);
  const compound = [...text.matchAll(COMMENT)].filter(([, word = '']) => COMPOUND.test(word) && declared.has(word));
  return [...new Set([...own, ...compound].map(([, word = '']) => word))];
}

test('no comment begins with the name of what it describes', () => {
  const declared = new Set(files.flatMap(({ text }) => namesIn(text)));
  const found = files.flatMap(({ path, text }) => badBeginnings(text, declared).map((name) => `${path}: "${name} …"; say what it is`));
  expect(found).toEqual([]);
});

test.each([
  ['/** Bounds of a position. */\nexport interface Bounds {', ['Bounds']],
  ['/**\n * Profit from fills.\n * More.\n */\nexport class Profit {', ['Profit']],
  ['  /** MarkCandles of the mark price. */\n  readonly candles: MarkCandles;', ['MarkCandles']],
  ['// MarkCandles of the mark price.\n\nimport', ['MarkCandles']],
  ['/** Limits of a position. */\nexport interface Bounds {', []],
  ['/** `bounds`: limits of a position. */\nexport interface bounds {', []],
])('%j begins with %j', (text, names) => expect(badBeginnings(text, new Set(['MarkCandles']))).toEqual(names));
