// Shortens source maps to one mapping for each line of our source: a stack trace and a debugger need the line, and the columns are most of what a map weighs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Shortens all maps below a folder. */
export function shortenMaps(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js.map')) continue;
    const file = join(folder, name);
    const { version, sources, mappings } = JSON.parse(readFileSync(file, 'utf8'));
    const isOurs = sources.map((source) => !source.includes('node_modules/'));
    const named = sources.map((source, index) => (isOurs[index] ? source : ''));
    writeFileSync(file, JSON.stringify({ version, sources: named, mappings: lineMappings(mappings, (index) => isOurs[index]) }));
  }
}

/** The first mapping of each line of a source that is `kept`, and those at which the line of the source changes. Fields are differences: of the source, its line and its column to those before. */
export function lineMappings(mappings, isKept = () => true) {
  const [read, written] = [[0, 0, 0], [0, 0, 0]];
  return mappings
    .split(';')
    .map((line) => {
      let [column, writtenColumn] = [0, 0];
      let last;
      const kept = [];
      for (const segment of line.split(',')) {
        const [columns = 0, ...source] = decoded(segment);
        column += columns;
        for (const index of read.keys()) read[index] += source[index] ?? 0;
        if (source.length < read.length || !isKept(read[0]) || (last !== undefined && last[0] === read[0] && last[1] === read[1])) continue;
        last = [read[0], read[1], 0]; // the column in the source is left out
        kept.push([column - writtenColumn, ...last.map((value, index) => value - written[index])].map(encoded).join(''));
        writtenColumn = column;
        written.splice(0, written.length, ...last);
      }
      return kept.join(',');
    })
    .join(';');
}

function decoded(segment) {
  const values = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    values.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return values;
}

function encoded(value) {
  let [rest, text] = [value < 0 ? (-value << 1) | 1 : value << 1, ''];
  do {
    const bits = rest & 31;
    rest >>= 5;
    text += DIGITS[rest > 0 ? bits | 32 : bits];
  } while (rest > 0);
  return text;
}
