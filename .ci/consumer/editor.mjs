// What an editor shows in a new project: types and docs of a market's members, by TypeScript's language service. `node editor.mjs TYPESCRIPT STRATEGY`
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [typescript, file] = process.argv.slice(2).map((path) => resolve(path));
const ts = createRequire(import.meta.url)(typescript);
const code = readFileSync(file, 'utf8').replace('const { mid', 'view.market(market).mid;\n      const { mid');
const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile('tsconfig.json', ts.sys.readFile).config, ts.sys, process.cwd());
const service = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getCompilationSettings: () => options,
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) => {
    const text = name === file ? code : ts.sys.readFile(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => process.cwd(),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
});

const expected = ['mid', 'position', 'candles', 'quote', 'target', 'trailingStop', 'fees'];
const at = code.indexOf('view.market(market).mid') + 'view.market(market).'.length;
const names = service.getCompletionsAtPosition(file, at, undefined)?.entries.map(({ name }) => name) ?? [];
const missing = expected.filter((name) => !names.includes(name));
if (missing.length > 0) throw new Error(`the editor completes ${names.join(', ') || 'nothing'}; ${missing.join(', ')} is missing`);

for (const word of ['market(market).mid', 'defineStrategy({']) {
  const place = code.indexOf(word) + (word.startsWith('market') ? 'market(market).'.length : 0);
  const { displayParts, documentation } = service.getQuickInfoAtPosition(file, place) ?? {};
  const [type, docs] = [ts.displayPartsToString(displayParts), ts.displayPartsToString(documentation)];
  if (type === '' || docs === '') throw new Error(`the editor shows "${type}" and "${docs}" for ${word}; a type and a text are expected`);
  console.log(`${type.replace(/\s+/g, ' ').slice(0, 100)}: ${docs}`);
}
console.log(`completions: ${names.join(', ')}`);
